import type { FieldProblem } from '../errors.js';

/** What Ajv tells of one failed keyword. */
export interface AjvProblem {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** A body of ten thousand wrong items gets an answer of readable size. */
const mostProblems = 100;

/**
 * One problem per wrong place, named so that a person can mend it. Never the value: it can hold
 * keys.
 */
export function validationProblems(place: string, problems: readonly AjvProblem[]): FieldProblem[] {
  const told: AjvProblem[] = [];
  for (const problem of problems) {
    // Its sentence says more than the type, which Ajv has told right before.
    if (problem.keyword === 'x-fixed') told.pop();
    if (problem.keyword !== 'anyOf') told.push(problem);
    else told.push(...mergeBranches(problem, takeBranches(told, problem)));
  }
  return told.slice(0, mostProblems).map((problem) => fieldProblem(place, problem));
}

/** Ajv tells what every alternative lacked right before it tells that none fitted. */
function takeBranches(told: AjvProblem[], union: AjvProblem): AjvProblem[] {
  let from = told.length;
  while (
    from > 0 &&
    told[from - 1]?.schemaPath.startsWith(`${union.schemaPath}/`) === true &&
    isWithin(told[from - 1]?.instancePath ?? '', union.instancePath)
  )
    from -= 1;
  return told.splice(from);
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

/**
 * The alternative that was meant is the one whose type fitted; when none did, all of them are named
 * in one sentence.
 */
function mergeBranches(union: AjvProblem, problems: readonly AjvProblem[]): AjvProblem[] {
  const meant = problems.filter(
    ({ instancePath, keyword }) =>
      instancePath !== union.instancePath || !['type', 'const', 'enum'].includes(keyword),
  );
  if (meant.length > 0) return meant;
  const valued = new Set(
    problems
      .filter(({ keyword }) => keyword === 'const')
      .map(({ schemaPath }) => parentOf(schemaPath)),
  );
  const choices = [
    ...new Set(
      problems
        .filter(
          ({ keyword, schemaPath }) => keyword !== 'type' || !valued.has(parentOf(schemaPath)),
        )
        .flatMap(choicesOf),
    ),
  ];
  if (choices.length === 0) return [union];
  const hasValues = problems.some(({ keyword }) => keyword !== 'type');
  return [
    {
      ...union,
      keyword: hasValues ? 'enum' : 'type',
      params: { choices },
      message: `must be ${hasValues && choices.length > 1 ? 'one of ' : ''}${inWords(choices)}`,
    },
  ];
}

/** The values or types an alternative would have taken. */
function choicesOf({ keyword, params }: AjvProblem): string[] {
  const choices = params['choices'] ?? params['allowedValues'];
  if (Array.isArray(choices)) return choices.map(String);
  return [String(keyword === 'const' ? params['allowedValue'] : params['type'])];
}

function inWords(choices: readonly string[]): string {
  return choices.length < 2
    ? choices.join('')
    : `${choices.slice(0, -1).join(', ')} or ${choices[choices.length - 1]}`;
}

/** What a place with a closed list takes, the same at every door. */
export function oneOf(allowed: readonly unknown[]): string {
  return `must be ${allowed.length > 1 ? 'one of ' : ''}${inWords(allowed.map(String))}`;
}

function parentOf(schemaPath: string): string {
  return schemaPath.slice(0, schemaPath.lastIndexOf('/'));
}

function fieldProblem(place: string, problem: AjvProblem): FieldProblem {
  const loc: (string | number)[] = [place];
  for (const part of problem.instancePath.split('/').slice(1))
    loc.push(/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (problem.keyword === 'required') {
    loc.push(String(problem.params['missingProperty']));
    return { type: 'missing', loc, msg: 'Field required' };
  }
  if (problem.keyword === 'x-fixed')
    return { type: 'not_accepted', loc, msg: problem.message ?? 'Not accepted here' };
  if (problem.keyword === 'additionalProperties') {
    loc.push(String(problem.params['additionalProperty']));
    return { type: 'not_accepted', loc, msg: 'Not accepted here' };
  }
  const allowed = problem.params['allowedValues'];
  if (problem.keyword === 'enum' && Array.isArray(allowed))
    return { type: 'enum', loc, msg: oneOf(allowed) };
  // Ajv writes a list of types without words between them.
  return {
    type: problem.keyword,
    loc,
    msg: (problem.message ?? 'Invalid value').replace(/^must be (\w+),(\w+)$/, 'must be $1 or $2'),
  };
}
