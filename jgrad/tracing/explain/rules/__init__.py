"""The rules of the catalogue, a module for each topic; each rule stands next to the function that finds its cases."""
