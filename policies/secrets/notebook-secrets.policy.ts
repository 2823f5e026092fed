import { abstains, ask, asks, definePolicy, impactReason } from 'hookgate/policy'

export default definePolicy({
  id: 'notebook-secrets',
  description: 'Asks before a notebook, or a tool that runs code, prints passwords and tokens',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['mcp', 'write', 'edit'],
  interest: { impacts: ['show'] },
  params: {
    allowedVariables: { type: 'strings', default: [], description: 'variables that may be printed, by name' },
  },
  decide({ impacts, params }) {
    const shown = impacts.find(
      ({ kind, thing, through, names }) =>
        kind === 'show' &&
        thing === 'secret' &&
        through !== undefined &&
        (names.length === 0 || names.some((name) => !params.allowedVariables.includes(name))),
    )
    return shown && ask(impactReason(shown))
  },
  examples: [
    asks('all variables, in a cell', {
      tool: 'edit',
      input: {
        path: 'a.ipynb',
        old_string: 'a',
        content: "print({k: v for k, v in os.environ.items() if 'KEY' in k})",
      },
    }),
    abstains('names alone', {
      tool: 'edit',
      input: { path: 'a.ipynb', old_string: 'a', content: 'print(sorted(os.environ))' },
    }),
    abstains('in a program', { tool: 'write', input: { path: 'a.py', content: 'print(dict(os.environ))' } }),
    asks('by a kernel', {
      tool: 'mcp__ide__executeCode',
      input: { code: 'import os\nfor k, v in sorted(os.environ.items()): print(k, v)' },
    }),
    abstains('a version by a kernel', { tool: 'mcp__ide__executeCode', input: { code: 'print(pd.__version__)' } }),
    asks('keys of a session', {
      tool: 'mcp__jupyter__execute_cell',
      input: { cell_source: 'print(creds.access_key, creds.secret_key)' },
    }),
    abstains('a note about it', { tool: 'mcp__linear__create_issue', input: { title: 'print(dict(os.environ))' } }),
    asks('a secret variable', { tool: 'mcp__ide__executeCode', input: { code: "print(os.environ['DB_PASSWORD'])" } }),
    abstains('one that may', {
      tool: 'mcp__ide__executeCode',
      input: { code: "print(os.environ['DB_PASSWORD'])" },
      params: { allowedVariables: ['DB_PASSWORD'] },
    }),
  ],
})
