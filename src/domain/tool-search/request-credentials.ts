import type { Tool } from './tool.js';

export interface CredentialRequest {
  setup_url: string;
  required_env_vars: readonly string[];
  /** To be shown to the person as it is. */
  user_message: string;
  /** What the agent does meanwhile and afterwards. */
  agent_instruction: string;
  grclid: string;
}

/** Where a tracked link leads: to the credentials, when there are any. */
export function destinationOf(tool: Tool): string {
  return tool.credentials?.url ?? tool.website_url;
}

/** How the person gets the credentials to the agent without pasting them into the conversation. */
export function requestCredentials(
  tool: Tool,
  link: { url: string; grclid: string },
): CredentialRequest {
  const required = tool.env_vars.filter((variable) => variable.required).map(({ name }) => name);
  const secrets = tool.env_vars
    .filter((variable) => variable.required && variable.secret)
    .map(({ name }) => name);
  const shared = { setup_url: link.url, required_env_vars: required, grclid: link.grclid };
  const values = listOf(required);
  if (tool.credentials === null) {
    return {
      ...shared,
      user_message:
        required.length === 0
          ? `${tool.name} needs no account or key. More about it: ${link.url}`
          : `${tool.name} needs no account. It is configured by ${values}; the steps say what to set. More about it: ${link.url}`,
      agent_instruction:
        required.length === 0
          ? `No credential is needed: follow the install steps for ${tool.name} now.`
          : `No credential has to be requested. Set ${values} in the environment as the install steps describe; ask only for values that you cannot derive from the project.`,
    };
  }
  const fetched = required.length === 0 ? 'the credentials' : values;
  return {
    ...shared,
    user_message: `To connect ${tool.name}, open ${link.url}. ${tool.credentials.how}${required.length === 0 ? '' : ` Then put ${values} into the project's environment (for example its .env file); please do not paste ${required.length === 1 ? 'it' : 'them'} into this chat.`}`,
    agent_instruction: [
      `Show user_message to the user with setup_url unchanged, and go on with the steps that need no credential.`,
      `Wait until the user confirms that ${fetched} ${required.length === 1 ? 'is' : 'are'} set; read ${required.length === 1 ? 'it' : 'them'} from the environment.`,
      secrets.length === 0 ? '' : `Never print, log or commit ${listOf(secrets)}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  };
}

function listOf(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
