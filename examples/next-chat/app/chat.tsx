'use client';
import { AdSlot } from '@sidelight/react';
import { useState, type FormEvent } from 'react';

interface Message {
  role: 'user' | 'assistant';
  content: string;
}

export function Chat({ sessionId }: { sessionId: string }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const [answer, setAnswer] = useState('');

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const asked: Message[] = [
      ...messages,
      { role: 'user', content: String(new FormData(form).get('question')) },
    ];
    form.reset();
    setMessages(asked);
    const response = await fetch('/api/chat', {
      method: 'POST',
      body: JSON.stringify({ messages: asked }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (
      let part = await reader?.read();
      part !== undefined && !part.done;
      part = await reader?.read()
    ) {
      text += part.value;
      setAnswer(text);
    }
    setAnswer('');
    setMessages([...asked, { role: 'assistant', content: text }]);
  }

  // Asked for with the question, not the answer: it arrives while the answer streams.
  const question = messages.findLastIndex((message) => message.role === 'user') + 1;
  return (
    <main>
      <h1>Chat</h1>
      {messages.map((message, index) => (
        <p key={index}>{message.content}</p>
      ))}
      {answer === '' ? null : <p aria-live="polite">{answer}</p>}
      <AdSlot
        endpoint="/api/sidelight"
        messages={messages.slice(0, question)}
        sessionId={sessionId}
        enabled={question > 0}
        feedback="/api/sidelight"
        lead="/api/sidelight"
      />
      <form onSubmit={ask}>
        <label>
          Your question <input name="question" autoComplete="off" required />
        </label>
        <button>Ask</button>
      </form>
    </main>
  );
}
