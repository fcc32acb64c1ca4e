const ANSWER_MS = 250;

type Message = { readonly type: 'which' } | { readonly type: 'held'; readonly keys: readonly string[] };

/** Distinguishes uploads that a reload interrupted from those that another tab is sending. */
export class OtherTabs {
  private readonly channel = new BroadcastChannel('agate-uploads');
  private heldElsewhere = new Set<string>();

  /** @param held the keys of the uploads of this tab, at the moment of the call. */
  constructor(held: () => readonly string[]) {
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'held') for (const key of data.keys) this.heldElsewhere.add(key);
      else if (held().length > 0) this.post({ type: 'held', keys: held() });
    };
  }

  /** The keys of the uploads that other tabs hold now. */
  async held(): Promise<ReadonlySet<string>> {
    this.heldElsewhere = new Set();
    this.post({ type: 'which' });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    return this.heldElsewhere;
  }

  private post(message: Message): void {
    this.channel.postMessage(message);
  }
}
