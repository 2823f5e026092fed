import { abstains, ask, asks, definePolicy, type PolicyTool } from 'hookgate/policy'
import { showsEnvironment, showsVariables } from './code-variables.ts'
import { isSecretName } from './printers.ts'
import { textsIn } from './tool-input.ts'

/** Names of tools that run code, or the cells of a notebook. */
const running = /eval|exec|run|code|cell|kernel|notebook|script/i
/** A line that prints the key, token or password of an account. */
const printsKey =
  /\b(?:print|display|console\.\w+|puts)\s*\(?[^\n]{0,120}\.(?:secret_key|secret_access_key|client_secret|access_token|refresh_token|private_key|password)\b/

/** Returns code whose output the agent gets, or which stays in a notebook beside it. */
function codeOf({ kind, name, input, path = '', content = '' }: PolicyTool): readonly string[] {
  if (kind === 'mcp') return running.test(name) ? textsIn(input).map(({ text }) => text) : []
  return path.endsWith('.ipynb') ? [content] : []
}

export default definePolicy({
  id: 'notebook-secrets',
  description: 'Asks before a notebook, or a tool that runs code, prints passwords and tokens',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['mcp', 'write', 'edit'],
  params: {
    allowedVariables: { type: 'strings', default: [], description: 'variables that may be printed, by name' },
  },
  decide({ tool, params }) {
    for (const code of codeOf(tool)) {
      const variable = showsVariables(code).find(
        (name) => isSecretName(name) && !params.allowedVariables.includes(name),
      )
      if (variable !== undefined)
        return ask(`${variable} has the name of a secret: use it where it is needed, without printing it`)
      if (showsEnvironment(code))
        return ask('this prints all variables, possibly including passwords: name the one that you need')
      if (printsKey.test(code)) return ask('this prints what signs somebody in: use it where it is needed')
    }
    return undefined
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
