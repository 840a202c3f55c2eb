import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../../src/config.js';
import { readPlainYaml, type Yaml } from '../support/plain-yaml.js';
import { renderTemplate } from '../support/render-chart.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const chart = 'ops/helm/sidelight';
const templates = readdirSync(join(root, chart, 'templates'));

/** What a name in the files leads to, by the paths of a file of nested names: `image.tag`. */
function pathsOf(yaml: string): string[] {
  const open: { indent: number; name: string }[] = [];
  const paths: string[] = [];
  for (const line of linesOf(yaml)) {
    const found = /^( *)([A-Za-z_]+):/.exec(line);
    if (found === null) continue;
    const indent = found[1]?.length ?? 0;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    open.push({ indent, name: found[2] ?? '' });
    paths.push(open.map(({ name }) => name).join('.'));
  }
  return paths;
}

function linesOf(yaml: string): string[] {
  return yaml.split('\n').filter((line) => line.trim() !== '' && !/^ *#/.test(line));
}

/** Settings by name; a name that is none of ours is told. */
function unknownSettings(names: readonly string[]): string[] {
  return names.filter((name) => !(name in settingTable));
}

/** What lies at a path of names and places. */
function at(yaml: Yaml, ...path: (string | number)[]): Yaml {
  let found = yaml;
  for (const step of path) {
    // A place in a list or a name in a map; anything else is not there.
    const next = (found as Record<string | number, Yaml>)[step];
    assert.ok(next !== undefined, `${path.join('.')} is not there`);
    found = next;
  }
  return found;
}

describe('files to deploy with', () => {
  it('name settings that exist', () => {
    const values = pathsOf(read(`${chart}/values.yaml`));
    const inChart = values
      .filter((path) => path.startsWith('settings.'))
      .map((path) => path.slice(9));
    assert.ok(inChart.length > 3);
    assert.deepEqual(unknownSettings(inChart), []);
    const inCompose = pathsOf(read('ops/compose.yml'))
      .filter((path) => path.startsWith('services.sidelight.environment.'))
      .map((path) => path.split('.').at(-1) ?? '');
    assert.ok(inCompose.length > 3);
    assert.deepEqual(unknownSettings(inCompose), []);
    const env = /^ENV (.*)$/m.exec(read('Containerfile'))?.[1] ?? '';
    const inImage = [...env.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name ?? '');
    assert.deepEqual(unknownSettings(inImage), ['NODE_ENV']);
  });

  it('are made of names that are given: each value of a template, each path of the image', () => {
    const values = pathsOf(read(`${chart}/values.yaml`));
    for (const file of templates) {
      const text = read(`${chart}/templates/${file}`);
      const used = [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path]) => path ?? '');
      assert.deepEqual(
        used.filter((path) => !values.includes(path)),
        [],
        file,
      );
      const opened = text.match(/{{-? (?:if|range)/g)?.length ?? 0;
      assert.equal(
        text.match(/{{- end }}/g)?.length ?? 0,
        opened,
        `${file}: as many ends as begins`,
      );
      for (const line of linesOf(text)) {
        assert.equal((/^ */.exec(line)?.[0].length ?? 0) % 2, 0, `${file}: ${line}`);
        assert.doesNotMatch(line, /\t/, file);
      }
    }
    const copied = [...read('Containerfile').matchAll(/\/app\/([\w.-]+)(?= )/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => path !== 'node_modules' && path !== 'build');
    assert.ok(copied.length > 5);
    for (const path of copied) assert.ok(existsSync(join(root, path)), `${path} is not there`);
  });

  it('render to what a cluster takes, every part of it found by the others', () => {
    const values = readPlainYaml(read(`${chart}/values.yaml`));
    const render = (file: string): Yaml =>
      readPlainYaml(renderTemplate(read(`${chart}/templates/${file}`), values, 'ads'));
    const servers = render('servers.yaml');
    const pod = at(servers, 'spec', 'template');
    const labels = at(pod, 'metadata', 'labels');
    assert.deepEqual(labels, {
      'app.kubernetes.io/name': 'sidelight',
      'app.kubernetes.io/instance': 'ads',
    });
    assert.deepEqual(at(servers, 'spec', 'selector', 'matchLabels'), labels);
    assert.deepEqual(at(render('disruption.yaml'), 'spec', 'selector', 'matchLabels'), labels);
    const service = render('service.yaml');
    assert.deepEqual(at(service, 'spec', 'selector'), labels);
    assert.equal(at(servers, 'spec', 'serviceName'), at(service, 'metadata', 'name'));

    const container = at(pod, 'spec', 'containers', 0);
    const env = /^ENV (.*)$/m.exec(read('Containerfile'))?.[1] ?? '';
    const [, port] = /\bPORT=(\d+)/.exec(env) ?? [];
    const [, dataDir] = /\bDATA_DIR=(\S+)/.exec(env) ?? [];
    assert.equal(at(container, 'ports', 0, 'containerPort'), port);
    assert.equal(at(service, 'spec', 'ports', 0, 'targetPort'), at(container, 'ports', 0, 'name'));
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(at(container, probe, 'httpGet', 'port'), 'http', probe);
    assert.equal(at(container, 'volumeMounts', 0, 'mountPath'), dataDir);
    assert.equal(
      at(container, 'volumeMounts', 0, 'name'),
      at(servers, 'spec', 'volumeClaimTemplates', 0, 'metadata', 'name'),
    );
    assert.deepEqual(at(container, 'env', 0), { name: 'DATA_DIR', value: dataDir });
    assert.ok(JSON.stringify(at(container, 'env')).includes('{"name":"DEMO","value":"0"}'));
    assert.equal(at(container, 'image'), 'sidelight:0.1.0');
    assert.equal(at(container, 'resources', 'limits', 'memory'), '2Gi');
    assert.equal(at(pod, 'spec', 'securityContext', 'runAsNonRoot'), 'true');
    assert.equal(at(container, 'securityContext', 'allowPrivilegeEscalation'), 'false');

    // Podman's compose hands on as it stands what has no word after `:?` or `:-`.
    assert.doesNotMatch(read('ops/compose.yml'), /\$\{\w+:?[-?]\}/);
    const compose = readPlainYaml(read('ops/compose.yml'));
    const dockerfile = at(compose, 'services', 'sidelight', 'build', 'dockerfile');
    assert.ok(existsSync(join(root, 'ops', '..', String(dockerfile))));
    assert.deepEqual(at(compose, 'services', 'sidelight', 'volumes'), [`data:${dataDir}`]);
    assert.deepEqual(at(compose, 'services', 'sidelight', 'ports'), [`8080:${port}`]);
    assert.ok(existsSync(join(root, 'build/server/main.js')), 'what the image starts');
  });

  it('and `npm start` tell the C library the same, where no shell does it for them', () => {
    const manifest: { scripts: { start: string } } = JSON.parse(read('package.json'));
    const [line = ''] = /^ENV MALLOC.*$/m.exec(read('Containerfile')) ?? [];
    const asImage = Object.fromEntries(
      [...line.matchAll(/(MALLOC\w+)=(\d+)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    assert.equal(Object.keys(asImage).length, 3);
    const told = (env: Record<string, string>): unknown => {
      const printed = `"${process.execPath}" -p "JSON.stringify(process.env)"`;
      const script = manifest.scripts.start.replace(/node .*$/, () => printed);
      const all: Record<string, string> = JSON.parse(
        execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }),
      );
      return Object.fromEntries(Object.keys(asImage).map((name) => [name, all[name]]));
    };
    assert.deepEqual(told({}), asImage);
    assert.deepEqual(told({ MALLOC_ARENA_MAX: '4' }), { ...asImage, MALLOC_ARENA_MAX: '4' });
  });

  it('ask the server itself whether it is well, run as nobody in particular, and let it leave in time', () => {
    const image = read('Containerfile');
    assert.match(image, /HEALTHCHECK[\s\S]*\/ready/);
    assert.match(image, /^USER node$/m);
    const servers = read(`${chart}/templates/servers.yaml`);
    assert.match(servers, /readinessProbe:\s+httpGet:\s+path: \/ready/);
    assert.match(servers, /livenessProbe:\s+httpGet:\s+path: \/health/);
    assert.match(servers, /runAsNonRoot: true/);
    const values = read(`${chart}/values.yaml`);
    const seconds = (name: string): number =>
      Number(new RegExp(`${name}: '?(\\d+)`).exec(values)?.[1]);
    assert.ok(seconds('terminationGracePeriodSeconds') > seconds('SHUTDOWN_SECONDS'));
    assert.ok(seconds('SHUTDOWN_SECONDS') > seconds('DRAIN_SECONDS'));
    assert.match(read('ops/compose.yml'), /stop_grace_period: 15s/);
    assert.ok(Number(settingTable.SHUTDOWN_SECONDS.fallback) < 15);
  });
});
