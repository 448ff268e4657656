"""The live views and the extension in a real Chromium: JupyterLab, Notebook 7, marimo, one HTML file, the site."""
