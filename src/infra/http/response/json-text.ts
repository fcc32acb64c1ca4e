/** A body that is JSON text already. `response.json` sends the text as it is. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
