"""The exercises, a file per lesson, by their names and in the order of the lessons."""

from jgrad.teach.exercise import Exercise
from jgrad.teach.exercises import gradients

EXERCISES: dict[str, Exercise] = {exercise.name: exercise for exercise in (*gradients.EXERCISES,)}
