"""Domains of the Learning Track of 2023, written from their descriptions, and problems as coc draws them."""

from coc_core.plugin import DomainSpec
from tests.support.installed_plugins import REGISTRY
from tests.support.ipc_problems import MICONIC, as_coc_draws

ROVERS = """(define (domain rovers)
(:requirements :strips :typing)
(:types rover waypoint store camera mode lander objective)
(:predicates (at ?x - rover ?y - waypoint) (at_lander ?x - lander ?y - waypoint)
  (can_traverse ?r - rover ?x ?y - waypoint) (equipped_for_soil_analysis ?r - rover)
  (equipped_for_rock_analysis ?r - rover) (equipped_for_imaging ?r - rover) (empty ?s - store) (full ?s - store)
  (have_rock_analysis ?r - rover ?w - waypoint) (have_soil_analysis ?r - rover ?w - waypoint)
  (calibrated ?c - camera ?r - rover) (supports ?c - camera ?m - mode) (visible ?w ?p - waypoint)
  (have_image ?r - rover ?o - objective ?m - mode) (communicated_soil_data ?w - waypoint)
  (communicated_rock_data ?w - waypoint) (communicated_image_data ?o - objective ?m - mode)
  (at_soil_sample ?w - waypoint) (at_rock_sample ?w - waypoint) (visible_from ?o - objective ?w - waypoint)
  (store_of ?s - store ?r - rover) (calibration_target ?i - camera ?o - objective) (on_board ?i - camera ?r - rover))
(:action navigate :parameters (?x - rover ?y ?z - waypoint)
  :precondition (and (can_traverse ?x ?y ?z) (at ?x ?y) (visible ?y ?z)) :effect (and (not (at ?x ?y)) (at ?x ?z)))
(:action sample_soil :parameters (?x - rover ?s - store ?p - waypoint) :precondition (and (at ?x ?p)
    (at_soil_sample ?p) (equipped_for_soil_analysis ?x) (store_of ?s ?x) (empty ?s))
  :effect (and (not (empty ?s)) (full ?s) (have_soil_analysis ?x ?p) (not (at_soil_sample ?p))))
(:action sample_rock :parameters (?x - rover ?s - store ?p - waypoint) :precondition (and (at ?x ?p)
    (at_rock_sample ?p) (equipped_for_rock_analysis ?x) (store_of ?s ?x) (empty ?s))
  :effect (and (not (empty ?s)) (full ?s) (have_rock_analysis ?x ?p) (not (at_rock_sample ?p))))
(:action drop :parameters (?x - rover ?y - store) :precondition (and (store_of ?y ?x) (full ?y))
  :effect (and (not (full ?y)) (empty ?y)))
(:action calibrate :parameters (?r - rover ?i - camera ?t - objective ?w - waypoint) :precondition (and
    (equipped_for_imaging ?r) (calibration_target ?i ?t) (at ?r ?w) (visible_from ?t ?w) (on_board ?i ?r))
  :effect (calibrated ?i ?r))
(:action take_image :parameters (?r - rover ?p - waypoint ?o - objective ?i - camera ?m - mode)
  :precondition (and (calibrated ?i ?r) (on_board ?i ?r) (equipped_for_imaging ?r) (supports ?i ?m)
    (visible_from ?o ?p) (at ?r ?p)) :effect (and (have_image ?r ?o ?m) (not (calibrated ?i ?r))))
(:action communicate_soil_data :parameters (?r - rover ?l - lander ?p ?x ?y - waypoint) :precondition (and
    (at ?r ?x) (at_lander ?l ?y) (have_soil_analysis ?r ?p) (visible ?x ?y)) :effect (communicated_soil_data ?p))
(:action communicate_rock_data :parameters (?r - rover ?l - lander ?p ?x ?y - waypoint) :precondition (and
    (at ?r ?x) (at_lander ?l ?y) (have_rock_analysis ?r ?p) (visible ?x ?y)) :effect (communicated_rock_data ?p))
(:action communicate_image_data :parameters (?r - rover ?l - lander ?o - objective ?m - mode ?x ?y - waypoint)
  :precondition (and (at ?r ?x) (at_lander ?l ?y) (have_image ?r ?o ?m) (visible ?x ?y))
  :effect (communicated_image_data ?o ?m)))
"""
SATELLITE = """(define (domain satellite)
(:requirements :strips :typing :negative-preconditions)
(:types satellite direction instrument mode)
(:predicates (on_board ?i - instrument ?s - satellite) (supports ?i - instrument ?m - mode)
  (pointing ?s - satellite ?d - direction) (power_avail ?s - satellite) (power_on ?i - instrument)
  (calibrated ?i - instrument) (have_image ?d - direction ?m - mode)
  (calibration_target ?i - instrument ?d - direction))
(:action turn_to :parameters (?s - satellite ?new ?old - direction)
  :precondition (and (pointing ?s ?old) (not (pointing ?s ?new)))
  :effect (and (pointing ?s ?new) (not (pointing ?s ?old))))
(:action switch_on :parameters (?i - instrument ?s - satellite) :precondition (and (on_board ?i ?s) (power_avail ?s))
  :effect (and (power_on ?i) (not (calibrated ?i)) (not (power_avail ?s))))
(:action switch_off :parameters (?i - instrument ?s - satellite) :precondition (and (on_board ?i ?s) (power_on ?i))
  :effect (and (not (power_on ?i)) (power_avail ?s)))
(:action calibrate :parameters (?s - satellite ?i - instrument ?d - direction)
  :precondition (and (on_board ?i ?s) (calibration_target ?i ?d) (pointing ?s ?d) (power_on ?i))
  :effect (calibrated ?i))
(:action take_image :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
  :precondition (and (calibrated ?i) (on_board ?i ?s) (supports ?i ?m) (power_on ?i) (pointing ?s ?d))
  :effect (have_image ?d ?m)))
"""
TRANSPORT = """(define (domain transport)
(:requirements :typing)
(:types size location locatable - object vehicle package - locatable)
(:predicates (road ?l1 ?l2 - location) (at ?x - locatable ?v - location) (in ?x - package ?v - vehicle)
  (capacity ?v - vehicle ?s - size) (capacity-predecessor ?s1 ?s2 - size))
(:action drive :parameters (?v - vehicle ?l1 ?l2 - location) :precondition (and (at ?v ?l1) (road ?l1 ?l2))
  :effect (and (not (at ?v ?l1)) (at ?v ?l2)))
(:action pick-up :parameters (?v - vehicle ?l - location ?p - package ?s1 ?s2 - size)
  :precondition (and (at ?v ?l) (at ?p ?l) (capacity-predecessor ?s1 ?s2) (capacity ?v ?s2))
  :effect (and (not (at ?p ?l)) (in ?p ?v) (capacity ?v ?s1) (not (capacity ?v ?s2))))
(:action drop :parameters (?v - vehicle ?l - location ?p - package ?s1 ?s2 - size)
  :precondition (and (at ?v ?l) (in ?p ?v) (capacity-predecessor ?s1 ?s2) (capacity ?v ?s1))
  :effect (and (not (in ?p ?v)) (at ?p ?l) (capacity ?v ?s2) (not (capacity ?v ?s1)))))
"""
TRACK = {
    "miconic": MICONIC.replace(":effect (boarded ?p)", ":effect (and (boarded ?p) (not (origin ?p ?f)))"),
    "rovers": ROVERS,
    "satellite": SATELLITE,
    "transport": TRANSPORT,
}


def drawn(name, rng, n):
    """The domain and a problem of it, in PDDL."""
    return as_coc_draws(rng, n, REGISTRY.create(DomainSpec, name), TRACK[name])
