/** A stand-in for a language model. */
async function* fakeModel(question: string): AsyncGenerator<string> {
  for (const word of `You asked about "${question}". Tell me what matters most to you, and I will narrow it down.`.split(
    ' ',
  )) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    yield `${word} `;
  }
}

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: { content: string }[] };
  const words = fakeModel(messages.at(-1)?.content ?? '');
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await words.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(stream, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
