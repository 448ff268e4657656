"""The exercises, a file per lesson, by their names and in the order of the lessons."""

from jgrad.teach.exercise import Exercise
from jgrad.teach.exercises import (
    autograd,
    cookbooks,
    copies,
    functions,
    gradients,
    graphs,
    memory,
    mistakes,
    projects,
    tensors,
    training,
)

LESSONS = (
    gradients,
    tensors,
    graphs,
    autograd,
    memory,
    copies,
    training,
    mistakes,
    functions,
    projects,
    cookbooks,
)
EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise for lesson in LESSONS for exercise in lesson.EXERCISES
}
