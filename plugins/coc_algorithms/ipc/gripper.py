"""Gripper: a robot with grippers, each of which holds one ball, brings balls to the rooms where they belong.

In each room it drops what belongs there and takes what does not, as long as it has a free gripper. It goes to where the
first ball that it holds belongs or, if it holds none, to the next room with balls to take.
"""

import random
from collections.abc import Sequence
from functools import cached_property

from coc_algorithms.ipc.stated import Placed, Stated, action, linked
from coc_programs import Call, Record, Steps, chain, procedure, read, write

Move = action("move ?start ?end", "(room ?start) (room ?end) (at-robby ?start)", "(at-robby ?end)", "(at-robby ?start)")
Pick = action(
    "pick ?ball ?room ?gripper",
    "(ball ?ball) (room ?room) (gripper ?gripper) (at ?ball ?room) (at-robby ?room) (free ?gripper)",
    adds="(carry ?ball ?gripper)",
    deletes="(at ?ball ?room) (free ?gripper)",
)
Drop = action(
    "drop ?ball ?room ?gripper",
    "(ball ?ball) (room ?room) (gripper ?gripper) (carry ?ball ?gripper) (at-robby ?room)",
    adds="(at ?ball ?room) (free ?gripper)",
    deletes="(carry ?ball ?gripper)",
)


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
    yield serve(room, grippers)
    rest = yield untidy(rooms)
    to = yield destination(grippers)
    if to or rest:
        following: Room = to or rest
        yield Move(room.number, following.number)
        yield tidy(following, grippers, rest, end)
        return
    if end and room != end:
        yield Move(room.number, end.number)


@procedure
def serve(room: Room, grippers: Gripper) -> Steps[None]:
    """Drop the balls that belong to a room, and take others with each free gripper."""
    for gripper in chain(grippers, "next"):
        free = not gripper.ball
        if gripper.ball:
            held = yield read(gripper.ball)
            if held.to == room:
                yield Drop(held.number, room.number, gripper.number)
                yield write(gripper, ball=None)
                free = True
        if free:
            here = yield read(room)
            if here.balls:
                ball = yield read(here.balls)
                yield Pick(ball.number, room.number, gripper.number)
                yield write(gripper, ball=here.balls)
                yield write(room, balls=ball.next)


@procedure
def untidy(rooms: Room | None) -> Steps[Room | None]:
    """Yield the first room with balls to take."""
    left = rooms
    while left:
        room = yield read(left)
        if room.balls:
            return left
        left = room.next
    return None


@procedure
def destination(grippers: Gripper) -> Steps[Room | None]:
    """Yield where the first ball belongs that a gripper holds."""
    for gripper in chain(grippers, "next"):
        if gripper.ball:
            ball: Ball = yield read(gripper.ball)
            return ball.to
    return None


class Tidying(Placed):
    """A problem of the robot."""

    functions = {"at": 1, "at-robby": 0, "carry": 1}

    def check(self) -> None:
        self.the("at-robby")
        for ball in self.of("ball"):
            if (ball in self.held) == (ball in self.place_of):
                raise ValueError(f"{ball} is {'held and in a room' if ball in self.held else 'nowhere'}")
        free = self.every("free")
        for gripper in self.of("gripper"):
            if [*self.held.values()].count(gripper) + (gripper in free) != 1:
                raise ValueError(f"{gripper} has to be free or to hold one ball")
        if held := self.holding("carry", self.goal):
            raise ValueError(f"the goal (carry {' '.join(held[0])}) leaves a ball in a gripper; bring it to a room")

    @property
    def impossible(self) -> str | None:
        moving = [name for name, room in self.wanted.items() if self.place_of.get(name) != room]
        return f"there is no gripper to move {moving[0]}" if moving and not self.of("gripper") else None

    @cached_property
    def held(self) -> dict[str, str]:
        """The gripper that holds each ball that is held."""
        return self.mapping("carry")


class GripperProgram(Stated[Tidying]):
    """n balls, which a robot brings to the rooms where they belong."""

    name = "gripper"
    task = Tidying
    classes = {"ball": Ball, "room": Room, "gripper": Gripper}
    counted = "ball"
    operators = (Move, Pick, Drop)
    main = tidy

    def _problem(self, n: int, rng: random.Random) -> Tidying:
        usual = rng.random() < 0.5  # two rooms and two grippers, and all balls go from the one to the other
        rooms = [f"room{number}" for number in range(1, (2 if usual else rng.randint(1, n // 3 + 3)) + 1)]
        grippers = [f"gripper{number}" for number in range(1, (2 if usual else rng.randint(1, 4)) + 1)]
        balls = [f"ball{number}" for number in range(1, n + 1)]
        held = dict(zip(rng.sample(balls, 0 if usual else min(rng.randrange(3), n)), grippers, strict=False))
        start = [f"ball {name}" for name in balls] + [f"room {name}" for name in rooms]
        start += [f"gripper {name}" for name in grippers]
        start += [f"free {name}" for name in grippers if name not in held.values()]
        start += [f"carry {ball} {gripper}" for ball, gripper in held.items()]
        start += [f"at-robby {rooms[0] if usual else rng.choice(rooms)}"]
        start += [f"at {name} {rooms[0] if usual else rng.choice(rooms)}" for name in balls if name not in held]
        moved = [name for name in balls if usual or rng.random() < 0.9]
        goal = [f"at {name} {rooms[1] if usual else rng.choice(rooms)}" for name in moved]
        return Tidying.of_texts(start, goal + [f"at-robby {rng.choice(rooms)}"] * (not usual))

    def begin(self, problem: Tidying) -> tuple[Call, Sequence[Record]]:
        rooms = {name: Room() for name in problem.of("room")}
        here, end = problem.the("at-robby"), problem.only("at-robby", goal=True)
        start = {name: problem.place_of.get(name, here) for name in problem.of("ball")}
        balls = {name: Ball(to=rooms[problem.wanted.get(name, room)]) for name, room in start.items()}
        held = {gripper: balls[ball] for ball, gripper in problem.held.items()}
        grippers = {name: Gripper(ball=held.get(name)) for name in problem.of("gripper")}
        for name, room in rooms.items():
            going = (ball for each, ball in balls.items() if problem.place_of.get(each) == name and ball.to != room)
            room.balls = linked(going)
        first = linked(room for room in rooms.values() if room.balls)
        every = [*grippers.values()] or [Gripper()]  # without any, there is nothing to move
        call = tidy(rooms[here], every[0], first, end and rooms[end])
        linked(every)
        return call, [*balls.values(), *rooms.values(), *every]
