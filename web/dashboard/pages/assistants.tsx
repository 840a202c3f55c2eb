import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { Card, Code, Page } from '../ui/parts.js';

/** How to let an assistant read the account's reports. */
export function AssistantsPage(): JSX.Element {
  const { urls } = useApp();
  const url = `${urls.platform}/mcp`;
  const key = '$SIDELIGHT_API_KEY';
  const config = (wrap: string): string =>
    JSON.stringify(
      { [wrap]: { sidelight: { type: 'http', url, headers: { 'X-API-Key': key } } } },
      null,
      2,
    );
  return (
    <Page
      title={t('Ask your assistant')}
      lead={
        <>
          {rich(
            'Your reports are MCP tools at {url}. They only read. Use a key from {aPIKeys} in place of {key}.',
            {
              url: <code>{url}</code>,
              aPIKeys: <Link to="/app/keys">{t('API keys')}</Link>,
              key: <code>{key}</code>,
            },
          )}
        </>
      }
    >
      <div class="grid">
        <Card title={t('Claude Code')}>
          <Code
            label={t('Terminal')}
            text={`claude mcp add --transport http sidelight ${url} --header "X-API-Key: ${key}"`}
          />
        </Card>
        <Card title={t('Codex')}>
          <Code
            label="~/.codex/config.toml"
            text={`[mcp_servers.sidelight]\nurl = "${url}"\nhttp_headers = { "X-API-Key" = "${key}" }`}
          />
        </Card>
        <Card title={t('Cursor')}>
          <Code label=".cursor/mcp.json" text={config('mcpServers')} />
        </Card>
        <Card title={t('VS Code')}>
          <Code label=".vscode/mcp.json" text={config('servers')} />
        </Card>
        <Card title={t('Without an assistant')} wide>
          <Code
            label={t('List the tools')}
            text={`curl -s ${url} -H "X-API-Key: ${key}" -H "Content-Type: application/json" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`}
          />
        </Card>
      </div>
    </Page>
  );
}
