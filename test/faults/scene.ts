import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyJournal } from '../../src/cli/apply-journal.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { judge, type Verdict } from './judge.js';
import { FaultNode } from './node.js';
import { Postgres } from './postgres.js';
import { startTraffic, type Traffic } from './traffic.js';
import { openWay, type Way } from './way.js';

export type Engine = 'embedded' | 'server';

/** Where a fault happens: servers with a demo's inventory, people who use them. */
export interface Scene {
  readonly home: string;
  readonly nodes: readonly FaultNode[];
  /** How the servers reach PostgreSQL; null on the embedded engine. */
  readonly way: Way | null;
  readonly postgres: Postgres | null;
  readonly database: string;
  readonly traffic: Traffic;
  readonly demo: DemoKeys;
  /** Who is sent requests; all of them until this is changed. */
  offered: readonly FaultNode[];
  node(index: number): FaultNode;
}

export interface DemoKeys {
  publisher: { id: string; api_key: string };
  advertiser: { id: string; api_key: string };
}

export interface SceneOptions {
  engine: Engine;
  nodes: number;
  workers?: number;
  pauseMs?: number;
  /** Callers keep no connection, so that each request meets the worker whose turn it is. */
  isFresh?: boolean;
  settings?: Record<string, string>;
  /** The program of another release for the first node. */
  earlierMain?: string;
  beforeStart?: (node: FaultNode) => void;
}

/** What all scenes have: a PostgreSQL, and stores that were filled once. */
export class Stage {
  readonly home = mkdtempSync(join(tmpdir(), 'sidelight-faults-'));
  private postgres: Postgres | null = null;
  private readonly filled = new Map<string, Promise<DemoKeys>>();
  private scenes = 0;

  async server(): Promise<Postgres> {
    return (this.postgres ??= await Postgres.create());
  }

  /** The keys of the demo, once a demo store of this engine is there to be copied. */
  private demo(engine: Engine, main?: string): Promise<DemoKeys> {
    const name = `demo_${engine}${main === undefined ? '' : '_earlier'}`;
    const filling = this.filled.get(name) ?? this.fill(name, engine, main);
    this.filled.set(name, filling);
    return filling;
  }

  private async fill(name: string, engine: Engine, main?: string): Promise<DemoKeys> {
    const settings: Record<string, string> = { DEMO: '1' };
    if (engine === 'server') {
      const server = await this.server();
      await server.ask('postgres', `create database ${name}`);
      settings['DATABASE_URL'] = server.urlOf(name);
    }
    const node = new FaultNode(name, this.home, settings, main);
    await node.start();
    await node.stop();
    // Written by the server just now.
    return JSON.parse(readFileSync(join(node.dataDir, 'demo.json'), 'utf8')) as DemoKeys;
  }

  async open(options: SceneOptions): Promise<Scene> {
    const { engine, earlierMain } = options;
    const demo = await this.demo(engine, earlierMain);
    const source = `demo_${engine}${earlierMain === undefined ? '' : '_earlier'}`;
    const database = `scene_${(this.scenes += 1)}`;
    const home = join(this.home, database);
    mkdirSync(home);
    const postgres = engine === 'server' ? await this.server() : null;
    await postgres?.ask('postgres', `create database ${database} template ${source}`);
    const way = postgres === null ? null : await openWay(postgres.urlOf(database));
    const nodes = Array.from({ length: options.nodes }, (_, index) => {
      const settings = { ...options.settings, ...(way === null ? {} : { DATABASE_URL: way.url }) };
      const main = index === 0 ? earlierMain : undefined;
      return new FaultNode(`node${index + 1}`, home, settings, main);
    });
    for (const node of nodes) {
      if (engine === 'embedded') cpSync(join(this.home, source), node.dataDir, { recursive: true });
      options.beforeStart?.(node);
      await node.start();
    }
    const scene: Scene = {
      home,
      nodes,
      way,
      postgres,
      database,
      offered: nodes,
      demo,
      node(index: number): FaultNode {
        const found = nodes[index];
        if (found === undefined) throw new Error(`there is no node ${index}`);
        return found;
      },
      traffic: startTraffic({
        key: demo.publisher.api_key,
        workers: options.workers ?? 4,
        isFresh: options.isFresh ?? false,
        ...(options.pauseMs === undefined ? {} : { pauseMs: options.pauseMs }),
        addresses: () => scene.offered.map((node) => node.address),
      }),
    };
    return scene;
  }

  /** Ends everything in good order, then looks at what is stored. */
  async close(scene: Scene): Promise<Verdict> {
    await scene.traffic.stop();
    for (const node of scene.nodes) {
      node.signal('SIGCONT');
      if (!node.isRunning) await node.start();
      await node.caughtUp();
      await node.stop();
    }
    await scene.way?.close();
    try {
      return await this.look(scene);
    } finally {
      rmSync(scene.home, { recursive: true, force: true });
    }
  }

  private async look(scene: Scene): Promise<Verdict> {
    const { postgres, database } = scene;
    if (postgres !== null) {
      const db = await openServerDatabase(postgres.urlOf(database));
      return judge(db, scene.traffic.acknowledged).finally(() => db.close());
    }
    const store = await openStore(readConfig({ DATA_DIR: scene.node(0).dataDir }));
    try {
      await applyJournal(store, () => undefined);
      return await judge(store.db, scene.traffic.acknowledged);
    } finally {
      await store.close();
    }
  }

  async remove(): Promise<void> {
    await this.postgres?.remove();
    rmSync(this.home, { recursive: true, force: true });
  }
}
