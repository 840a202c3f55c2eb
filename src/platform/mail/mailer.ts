import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import type { MintId } from '../ids.js';
import type { JobQueue } from '../jobs/job-queue.js';
import type { Sealer } from '../secrets/sealer.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** When what it says is of no use any more. */
  expiresAt: number;
}

export interface WaitingMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
  problem: string | null;
}

/**
 * Mail leaves through the SMTP server that is set. Without one it waits, sealed, where operators
 * read it and hand on what it says.
 */
export interface Mailer {
  readonly sends: boolean;
  /** Joins the transaction passed in. */
  post(tx: Db, mail: Mail): Promise<void>;
  /** What no server took and is still of use, newest first. */
  waiting(limit: number): Promise<WaitingMail[]>;
}

interface MailRow {
  id: string;
  recipient: string;
  subject: string;
  bodySealed: string;
  createdAt: Date;
  problem: string | null;
}

const kind = 'send-mail';
const about = (id: string): string => `mail:${id}`;

interface MailerDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  sealer: Sealer;
  jobs: JobQueue;
  smtpUrl: string;
  from: string;
}

export function createMailer(deps: MailerDeps): Mailer {
  const { db, clock, sealer, jobs } = deps;
  const sends = deps.smtpUrl !== '';
  if (sends)
    jobs.handle(kind, (_payload, { key }) => deliver(deps, key), { slow: true, maxAttempts: 8 });
  jobs.every('sweep-mail', 3_600_000, async () => {
    await db.query(`delete from mails where expires_at < $1`, [
      new Date(clock() - 30 * 86_400_000),
    ]);
  });

  return {
    sends,
    async post(tx, mail) {
      const now = clock();
      const id = deps.mintId(now);
      await tx.query(
        `insert into mails (id, recipient, subject, body_sealed, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [
          id,
          mail.to,
          mail.subject,
          sealer.seal(mail.text, about(id)),
          new Date(now),
          new Date(mail.expiresAt),
        ],
      );
      if (sends) await jobs.enqueue(tx, kind, id, {});
    },
    // A link that was used, or replaced by a newer one, is nothing to hand on.
    async waiting(limit) {
      const rows = await db.query<MailRow>(
        `select id, recipient, subject, body_sealed as "bodySealed", created_at as "createdAt",
           problem
         from mails
         where sent_at is null and expires_at > $1 and ($2 or problem is not null)
           and coalesce(
             (
               select bool_or(l.used_at is null)
               from account_links l
               where l.email = recipient and l.expires_at = mails.expires_at
             ),
             true
           )
         order by created_at desc, id desc limit $3`,
        [new Date(clock()), !sends, limit],
      );
      return rows.map(({ bodySealed, ...row }) => ({
        ...row,
        text: sealer.open(bodySealed, about(row.id)),
      }));
    },
  };
}

async function deliver(deps: MailerDeps, id: string): Promise<void> {
  const { db, sealer, clock } = deps;
  const [row] = await db.query<MailRow>(
    `select id, recipient, subject, body_sealed as "bodySealed", created_at as "createdAt", problem
       from mails
       where id = $1 and sent_at is null`,
    [id],
  );
  if (row === undefined) return;
  // Most installations send none, and it is megabytes of memory.
  const { createTransport } = await import('nodemailer');
  // The operator names the server, so it may be private.
  const transport = createTransport({
    url: deps.smtpUrl,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
  });
  try {
    await transport.sendMail({
      from: deps.from,
      to: { name: '', address: row.recipient },
      subject: row.subject,
      text: sealer.open(row.bodySealed, about(id)),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    await db.query(`update mails set problem = $2 where id = $1`, [
      id,
      (error instanceof Error ? error.message : 'not sent').replaceAll('\u0000', '').slice(0, 300),
    ]);
    throw error;
  } finally {
    transport.close();
  }
  // What it said is kept no longer than needed.
  await db.query(`update mails set sent_at = $2, body_sealed = '', problem = null where id = $1`, [
    id,
    new Date(clock()),
  ]);
}
