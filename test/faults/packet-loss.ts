import { execFileSync } from 'node:child_process';

/** Whether nobody else uses the loopback interface: `test-faults.mjs` says so. */
export const hasOwnNetwork = process.env['FAULTS_NETWORK'] === 'own';

const dropped = 2;
const passed = 0;
/** Where the network header begins and a random number is found, as the kernel's filters count. */
const networkHeader = 0xfff00000;
const random = 0xfffff038;

/** The kernel drops so many of a hundred packets to and from a port; returns how it ends. */
export function losePackets(port: number, percent: number): () => string {
  const [loadHalf, loadWord, isEqual, isGreater, answer] = [40, 32, 21, 37, 6];
  const program = [
    [loadHalf, 0, 0, networkHeader + 20],
    [isEqual, 2, 0, port],
    [loadHalf, 0, 0, networkHeader + 22],
    [isEqual, 0, 3, port],
    [loadWord, 0, 0, random],
    [isGreater, 1, 0, Math.round((0xffffffff * percent) / 100)],
    [answer, 0, 0, dropped],
    [answer, 0, 0, passed],
  ];
  const code = [program.length, ...program.map((step) => step.join(' '))].join(',');
  const traffic = (...args: string[]): string => execFileSync('tc', args, { encoding: 'utf8' });
  const filter = ['egress', 'protocol', 'ip', 'bpf', 'da', 'bytecode', code];
  traffic('qdisc', 'add', 'dev', 'lo', 'clsact');
  traffic('filter', 'add', 'dev', 'lo', ...filter);
  return () => {
    const told = traffic('-s', 'qdisc', 'show', 'dev', 'lo', 'clsact');
    traffic('qdisc', 'del', 'dev', 'lo', 'clsact');
    const [, lost] = /dropped (\d+)/.exec(told) ?? [];
    return lost ?? '?';
  };
}
