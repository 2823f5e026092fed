import type { Launch } from './launch.ts'

/** Where its model is. An option may have it leave out the file, so it is told by words as well. */
const settings = (origin: string): readonly string[] => [
  'model="scripted"',
  'model_provider="scripted"',
  `model_providers.scripted={${[
    'name="scripted"',
    `base_url="${origin}/v1"`,
    'wire_api="responses"',
    'request_max_retries=0',
    'stream_max_retries=0',
  ].join(',')}}`,
]

/** A person trusts hooks in the program itself, which has no other way for that: so they run without. */
const bypassing = ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust']

/** Settings of a project count in a folder that is trusted. */
const trusting = (project: string) => ['-c', `projects={${JSON.stringify(project)}={trust_level="trusted"}}`]

export const codex: Launch = {
  name: 'codex',
  args: (prompt, { project, origin }) => [
    'exec',
    '--skip-git-repo-check',
    ...settings(origin).flatMap((one) => ['-c', one]),
    ...trusting(project),
    ...bypassing,
    prompt,
  ],
  files: ({ origin }) => ({
    '.codex/config.toml': [...settings(origin), 'check_for_update_on_startup=false', ''].join('\n'),
  }),
  switchesHooksOff: { '.codex/config.toml': '[features]\nhooks = false\n' },
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  subagent: (message) => ({ tool: 'spawn_agent', namespace: 'multi_agent_v1', input: { message } }),
}
