import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readToolFiles } from '../../platform/catalog-folder/read-tools.js';
import { checkTools, type ToolFile } from './check-tools.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The JSON with the value at a path replaced; undefined removes it. */
function changed(
  json: Json,
  [name, ...rest]: readonly (string | number)[],
  value: Json | undefined,
): Json {
  if (name === undefined) return value ?? null;
  if (Array.isArray(json))
    return json.map((each, at) => (at === name ? changed(each, rest, value) : each));
  if (typeof json !== 'object' || json === null) return json;
  const { [name]: old, ...others } = json;
  return rest.length === 0 && value === undefined
    ? others
    : { ...others, [name]: changed(old ?? null, rest, value) };
}

describe('the tool index', () => {
  let files: ToolFile[];
  let tools: Json[];
  before(async () => {
    files = await readToolFiles();
    // Every file holds a list, by the first test.
    tools = files.find(({ name }) => name === 'email.json')?.content as Json[];
  });

  const withEmail = (content: Json): string =>
    checkTools(
      files.map((file) => (file.name === 'email.json' ? { ...file, content } : file)),
    ).join('\n');
  const place = (): number =>
    tools.findIndex(
      (tool) =>
        typeof tool === 'object' && tool !== null && 'slug' in tool && tool['slug'] === 'resend',
    );

  it('is sound, has 22 categories, at least 450 tools and 12 in each', () => {
    assert.deepEqual(checkTools(files), []);
    assert.equal(files.length, 22);
    assert.ok(files.every(({ content }) => Array.isArray(content)));
    assert.ok(files.reduce((sum, { content }) => sum + (content as unknown[]).length, 0) >= 450);
  });

  it('mistakes are found where they are', () => {
    for (const [path, value, message] of [
      [['slug'], 'Resend', /slug is not/],
      [['slug'], 'sendgrid', /already in|out of order/],
      [['category'], 'Mail', /category is not/],
      [['category'], 'SMS', /another file/],
      [['description'], 'short', /description/],
      [['docs_url'], 'http://resend.com', /https/],
      [['needs'], ['only one need'], /needs/],
      [['keywords'], [], /keywords/],
      [['facts', 'languages'], ['cobol'], /cobol/],
      [['facts', 'regions'], ['mars'], /mars/],
      [['facts', 'license'], undefined, /license is missing/],
      [['facts', 'price_level'], 9, /price_level/],
      [['facts', 'requires'], [['oracle']], /oracle/],
      [['facts', 'requires'], [[]], /empty choice/],
      [['facts', 'home'], 'Germany', /home/],
      [['aliases'], [''], /aliases/],
      [['install', 0, 'for'], ['nodejs'], /nodejs/],
      [['install', 0, 'steps', 0, 'shell'], 'x', /shell is not a field/],
      [['install', 0, 'steps'], [], /has steps/],
      [['install'], [], /install/],
      [['extra'], 1, /extra is not a field/],
      [['alternatives'], ['resend'], /is itself/],
      [['alternatives'], ['gone'], /not in the tool index/],
      [['env_vars', 0, 'name'], 'NOT OK', /env var/],
      [['credentials'], {}, /credentials/],
      [['tier'], 3, /tier/],
    ] as const satisfies readonly (readonly [
      readonly (string | number)[],
      Json | undefined,
      RegExp,
    ])[]) {
      // the literal's own type is narrower and read-only
      const spoilt = withEmail(changed(tools, [place(), ...path], value as Json | undefined));
      assert.match(spoilt, message, path.join('.'));
      assert.match(spoilt, /^email\.json: /);
    }
  });

  it('order, number and home of the files are checked', () => {
    assert.match(withEmail([...tools].reverse()), /out of order/);
    assert.match(withEmail(tools.slice(0, 3)), /at least 12/);
    assert.match(withEmail({}), /not a list/);
    assert.match(
      checkTools(files.filter(({ name }) => name !== 'ai.json')).join('\n'),
      /ai\.json: missing/,
    );
    assert.match(
      checkTools([...files, { name: 'misc.json', content: [] }]).join('\n'),
      /misc\.json: no category/,
    );
  });
});
