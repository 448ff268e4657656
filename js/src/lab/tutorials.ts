/** The list of the tutorials, in the order in which they are meant to be read. */

import type { JupyterFrontEnd } from "@jupyterlab/application";
import { Widget } from "@lumino/widgets";
import tutorials from "../../lab/tutorials.json";

/** Where the tutorials are put if the server has none. */
const FOLDER = "jgrad-tutorials";
/** What the user changed there stays. */
const COPY = `from pathlib import Path; from jgrad import cli; cli.copy(cli.shipped(), Path("${FOLDER}"))`;

export class Tutorials extends Widget {
  constructor(private readonly app: JupyterFrontEnd) {
    super();
    this.id = "jgrad-tutorials";
    this.title.label = "jgrad tutorials";
    this.title.closable = true;
    this.addClass("jgrad-tutorials");
    const head = document.createElement("h1");
    head.textContent = "jgrad tutorials";
    const list = document.createElement("ol");
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    for (const [title, file] of tutorials) {
      const link = document.createElement("a");
      link.textContent = title;
      link.href = "#";
      link.onclick = async (event) => {
        event.preventDefault();
        said.textContent = "";
        try {
          await this.open(file);
        } catch (error) {
          said.textContent = `${title} can't be opened. ${(error as Error).message}`;
        }
      };
      const entry = document.createElement("li");
      entry.append(link);
      list.append(entry);
    }
    this.node.append(head, list, said);
  }

  private async open(file: string): Promise<void> {
    const path = (await this.find(file)) ?? (await this.copied(file));
    await this.app.commands.execute("docmanager:open", { path });
  }

  /** The path of a tutorial on the server. `jgrad lab` serves their folder itself. */
  private async find(file: string): Promise<string | undefined> {
    const { contents } = this.app.serviceManager;
    for (const path of [file, `${FOLDER}/${file}`]) {
      try {
        await contents.get(path, { content: false });
        return path;
      } catch {
        // It is not there.
      }
    }
  }

  /** Lets the kernel's jgrad copy its tutorials into the folder that the server shows. */
  private async copied(file: string): Promise<string> {
    const kernel = await this.app.serviceManager.kernels.startNew({ path: "" }); // in the folder that the server shows
    try {
      const { content } = await kernel.requestExecute({ code: COPY, silent: true, store_history: false })
        .done;
      if (content.status !== "ok") {
        throw new Error(`${content.ename}: ${content.evalue}`);
      }
    } finally {
      kernel.shutdown();
    }
    return `${FOLDER}/${file}`;
  }
}
