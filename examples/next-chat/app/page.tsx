import { randomUUID } from 'node:crypto';
import { Chat } from './chat.tsx';

/** A server component: the session is made here, everything that moves is in the client component. */
export default function Page() {
  return <Chat sessionId={randomUUID()} />;
}

export const dynamic = 'force-dynamic';
