import { parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** An expression of the source and where it stands. */
export interface SourceExpression {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

/** A `new RegExp(…)` inside a function: what it will be is known only when it runs. */
export interface LateExpression {
  readonly file: string;
  readonly code: string;
}

export interface SourceExpressions {
  readonly expressions: readonly SourceExpression[];
  readonly late: readonly LateExpression[];
}

/**
 * Every expression of the server and the packages: the literals as the parser finds them, those
 * built from parts by loading the modules that build them.
 */
export async function sourceExpressions(): Promise<SourceExpressions> {
  const found: SourceExpression[] = [];
  const late: LateExpression[] = [];
  const building = new Set<string>();
  for (const file of builtFiles()) {
    const text = readFileSync(join(root, 'build', file), 'utf8');
    ancestor(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), {
      Literal(node) {
        if (node.regex != null)
          found.push({ source: node.regex.pattern, flags: node.regex.flags, file });
      },
      NewExpression(node, _state, ancestors) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
        // The build writes newer syntax this way.
        const [source, flags] = node.arguments.map((part) =>
          part.type === 'Literal' && typeof part.value === 'string' ? part.value : null,
        );
        if (source != null && flags !== null)
          return void found.push({ source, flags: flags ?? '', file });
        // A callback that runs while the module loads is no function of its own.
        const isLate = ancestors.some(({ type }) => type === 'FunctionDeclaration');
        if (isLate) late.push({ file, code: text.slice(node.start, node.end) });
        else building.add(file);
      },
    });
  }
  found.push(...(await builtWhileLoading([...building])));
  const unique = new Map(found.map((entry) => [`/${entry.source}/${entry.flags}`, entry]));
  return { expressions: [...unique.values()], late };
}

function builtFiles(): string[] {
  return ['src', 'packages']
    .flatMap((folder) =>
      readdirSync(join(root, 'build', folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith('.js') && !path.endsWith('.test.js'))
    .filter((path) =>
      ['.ts', '.tsx'].some((ending) => existsSync(join(root, path.replace(/\.js$/, ending)))),
    )
    .sort();
}

async function builtWhileLoading(files: readonly string[]): Promise<SourceExpression[]> {
  const made: SourceExpression[] = [];
  const native = RegExp;
  let file = '';
  globalThis.RegExp = new Proxy(native, {
    construct(target, parts, newTarget) {
      // Constructing a RegExp gives one.
      const expression = Reflect.construct(target, parts, newTarget) as RegExp;
      made.push({ source: expression.source, flags: expression.flags, file });
      return expression;
    },
  });
  try {
    for (file of files) await import(pathToFileURL(join(root, 'build', file)).href);
  } finally {
    globalThis.RegExp = native;
  }
  return made;
}
