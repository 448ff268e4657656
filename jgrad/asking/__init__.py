"""Answers, in notebooks and outside of them: what a question is about (`question`), what an answer is (`answer`), how it reads in a program
(`wording`), and which frames of a traceback are the user's (`frames`)."""
