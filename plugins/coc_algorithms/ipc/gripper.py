"""Gripper: a robot with grippers, each of which holds one ball, brings balls to the rooms where they belong.

In each room it drops what belongs there and takes what does not, as long as it has a free gripper. It goes to where the
first ball that it holds belongs or, if it holds none, to the next room with balls to take.
"""

from random import Random

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, linked, named, operators
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Move, Pick, Drop = operators("""
move ?start ?end - room: (at-robby ?start) -> (at-robby ?end) (not (at-robby ?start))
pick ?ball ?room ?gripper: (at ?ball ?room) (at-robby ?room) (free ?gripper)
    -> (carry ?ball ?gripper) (not (at ?ball ?room)) (not (free ?gripper))
drop ?ball ?room ?gripper: (carry ?ball ?gripper) (at-robby ?room)
    -> (at ?ball ?room) (free ?gripper) (not (carry ?ball ?gripper))
""")


class Ball(Record):
    """A ball that has to go, where it belongs, and the next one in the same room."""

    to: "Room"
    next: "Ball | None" = None


class Room(Record):
    """A room: the balls that have to go from there, and the next such room."""

    balls: Ball | None = None
    next: "Room | None" = None


class Gripper(Record):
    """A gripper: the ball that it holds, and the next one."""

    ball: Ball | None = None
    next: "Gripper | None" = None


@procedure
def tidy(room: Room, grippers: Gripper, rooms: Room | None, end: Room | None) -> Steps[None]:
    """Bring all balls to where they belong, from the room where the robot is."""
    to: Room | None = yield serve(room, grippers)
    while rooms and not (yield read(rooms)).balls:
        rooms = (yield read(rooms)).next
    if to or rooms:
        yield Move(room, to or rooms)
        yield tidy(to or rooms, grippers, rooms, end)
    elif end and room != end:
        yield Move(room, end)


@procedure
def serve(room: Room, grippers: Gripper) -> Steps[Room | None]:
    """Drop the balls that belong to a room, and take others. Returns where the first ball belongs that is held then."""
    to: Room | None = None
    for gripper in chain(grippers, "next"):
        ball = gripper.ball
        if ball and (yield read(ball)).to == room:
            yield Drop(ball, room, gripper)
            ball = None
        if not ball:
            ball = (yield read(room)).balls
            if ball:
                yield Pick(ball, room, gripper)
                yield write(room, balls=(yield read(ball)).next)
            yield write(gripper, ball=ball)
        if ball and not to:
            to = (yield read(ball)).to
    return to


class GripperProgram(PlanningProgram):
    """n balls, which a robot brings to the rooms where they belong."""

    name = "gripper"
    main = tidy
    operators = (Move, Pick, Drop)
    classes = {"ball": Ball, "room": Room, "gripper": Gripper}
    exactly_one = ("(at-robby _)", "(at ?ball _) (carry ?ball _)", "(free ?gripper) (carry _ ?gripper)")
    picture = Drawing(
        "room",
        {"at": "{0} in {1}", "at-robby": "robby in {0}", "gripper": "{0} in robby", "carry": "{0} in {1}"},
        carriers="robby gripper",
        implied="free",
    )
    goals = "(at ?ball _) (at-robby _) (free ?gripper)"

    def build(self, world: World) -> Call:
        start, goal = world.start, world.goal
        here = start.one("at-robby", Room)
        for ball in world[Ball]:
            ball.to = goal.one("at", ball, Room) or start.one("at", ball, Room) or here
        for room in world[Room]:
            room.balls = linked(ball for ball in start.all("at", Ball, room) if ball.to != room)
        for gripper in world[Gripper]:
            gripper.ball = start.one("carry", Ball, gripper)
        grippers = linked(world[Gripper]) or Gripper()  # without any, there is nothing to move
        untidy = linked(room for room in world[Room] if room.balls)
        return tidy(here, grippers, untidy, goal.one("at-robby", Room))

    def impossible(self, world: World) -> str | None:
        moving = [room.balls for room in world[Room] if room.balls]
        return f"there is no gripper to move {world.name(moving[0])}" if moving and not world[Gripper] else None

    def draw(self, n: int, rng: Random) -> Drawn:
        balls, rooms = named("ball", n), named("room", rng.randint(1, n // 3 + 3))
        grippers = named("gripper", rng.randint(1, 4))
        held = dict(zip(balls[: rng.randrange(3)], grippers, strict=False))
        start = [f"at {ball} {rng.choice(rooms)}" for ball in balls if ball not in held]
        start += [f"carry {ball} {gripper}" for ball, gripper in held.items()]
        start += [f"free {gripper}" for gripper in grippers if gripper not in held.values()]
        goal = [f"at {ball} {rng.choice(rooms)}" for ball in balls if rng.random() < 0.9]
        goal += [f"at-robby {rng.choice(rooms)}"] * rng.randrange(2)
        return {"ball": balls, "room": rooms, "gripper": grippers}, [*start, f"at-robby {rng.choice(rooms)}"], goal
