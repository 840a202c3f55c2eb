import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkTools } from '../domain/tool-search/check-tools.js';
import { isUuid } from '../domain/uuid.js';
import { readTopicFiles } from '../platform/catalog-folder/read-matching-lists.js';
import { readToolFiles, readTools, toolFolder } from '../platform/catalog-folder/read-tools.js';
import { linkCampaign, unlinkCampaign } from '../surfaces/tool-search/queries.js';
import { CommandFailure, type CommandInput, UsageError } from './command.js';

export const toolVerbs = ['validate-tools', 'validate-topics', 'link-tool', 'unlink-tool'] as const;

export const toolHelp = [
  '       sidelight catalog validate-tools [FOLDER]          check the tool index',
  '       sidelight catalog validate-topics                  check the topics and content categories',
  '       sidelight catalog link-tool SLUG CAMPAIGN_ID       conversions after clicks on the tool are credited to the campaign',
  '       sidelight catalog unlink-tool SLUG CAMPAIGN_ID',
];

/** The verbs of `sidelight catalog` that are about developer tools. */
export async function runToolVerb(
  verb: (typeof toolVerbs)[number],
  { args, openStore, cwd, print }: Pick<CommandInput, 'args' | 'openStore' | 'cwd' | 'print'>,
): Promise<number> {
  const [, first, second] = args;
  if (verb === 'validate-tools')
    return validate(
      first === undefined ? toolFolder : pathToFileURL(`${resolve(cwd, first)}/`),
      print,
    );
  if (verb === 'validate-topics') return validateTopics(print);
  if (first === undefined || !isUuid(second))
    throw new UsageError(`say which: sidelight catalog ${verb} SLUG CAMPAIGN_ID`);
  if (verb === 'link-tool' && !(await readTools()).some(({ slug }) => slug === first))
    throw new CommandFailure(`there is no tool ${first}`);
  const store = await openStore();
  try {
    const isDone = await store.db.transaction((tx) =>
      verb === 'link-tool'
        ? linkCampaign(tx, first, second, new Date())
        : unlinkCampaign(tx, first, second),
    );
    if (!isDone)
      throw new CommandFailure(
        verb === 'link-tool'
          ? `there is no campaign ${second}`
          : `${first} is not linked to ${second}`,
      );
    print(
      `${first} ${verb === 'link-tool' ? 'is linked to' : 'is no longer linked to'} campaign ${second}`,
    );
    return 0;
  } finally {
    await store.close();
  }
}

async function validate(folder: URL, print: (line: string) => void): Promise<number> {
  const files = await readToolFiles(folder);
  const problems = checkTools(files);
  for (const problem of problems) print(problem);
  const count = files.reduce(
    (sum, { content }) => sum + (Array.isArray(content) ? content.length : 0),
    0,
  );
  if (problems.length > 0)
    throw new CommandFailure(`${problems.length} problems in ${files.length} files`);
  print(`${count} tools in ${files.length} files, no problems`);
  return 0;
}

function validateTopics(print: (line: string) => void): number {
  const { topics, categories, problems } = readTopicFiles();
  for (const problem of problems) print(problem);
  if (problems.length > 0) throw new CommandFailure(`${problems.length} problems in the topics`);
  print(`${topics.length} topics in ${categories.length} content categories, no problems`);
  return 0;
}
