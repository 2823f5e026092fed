import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// An editor's settings for a project are changed every day; some of them run something, or permit what is asked about.
const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

const cwd = '/home/u/proj'
const file_path = `${cwd}/.vscode/settings.json`
const written = async (content: string) => (await gate.judgeTool('Write', { file_path, content }, cwd)).asked
const edited = async (old_string: string, new_string: string) =>
  (await gate.judgeTool('Edit', { file_path, old_string, new_string }, cwd)).asked

/** Settings in pairs: how code looks, and nearly the same that runs or permits something. */
const pairs: readonly (readonly [ordinary: string, harming: string])[] = [
  ['{ "editor.formatOnSave": true }', '{ "editor.formatOnSave": true, "task.allowAutomaticTasks": "on" }'],
  ['{\n  "[python]": {\n    "editor.tabSize": 4\n  }\n}\n', '{\n  "chat.tools.terminal.autoApprove": {\n    "rm": true\n  }\n}\n'],
  ['{ "python.defaultInterpreterPath": "${workspaceFolder}/.venv/bin/python" }', '{ "python.defaultInterpreterPath": "/tmp/python" }'],
  ['{ "typescript.tsdk": "node_modules/typescript/lib" }', '{ "typescript.tsdk": "tools/lib" }'],
  ['{ "python.testing.pytestArgs": [\n  "tests"\n] }', '{ "terminal.integrated.profiles.linux": { "a": { "path": "/tmp/a" } } }'],
  ['{ "eslint.validate": ["javascript", "vue"] }', '{ "eslint.nodePath": "tools/node" }'],
  ['{ "files.exclude": { "**/dist": true } }', '{ "chat.tools.edits.autoApprove": { "**/*": true } }'],
  ['{ "editor.codeActionsOnSave": { "source.organizeImports": "explicit" } }', '{ "editor.codeActionsOnSave": {}, "git.path": "./git" }'],
  ['{ "prettier.singleQuote": true }', '{ "prettier.prettierPath": "tools/prettier" }'],
  ['{\n  // two spaces\n  "editor.tabSize": 2\n}', '{\n  "chat.tools.\\u0067lobal.autoApprove": true\n}'],
] // prettier-ignore

describe("an editor's settings for a project", () => {
  it.each(pairs)('pass where they say how code looks: %s, and not %s', async (ordinary, harming) => {
    expect(await written(ordinary)).toEqual([])
    expect(await written(harming)).toContain('agent-configuration')
  })

  it('pass in an edit that leaves what is permitted as it is', async () => {
    const permitted = '  "chat.tools.terminal.autoApprove": {\n    "npm test": true\n  }'
    expect(await edited(`${permitted}\n}`, `${permitted},\n  "editor.rulers": [100]\n}`)).toEqual([])
  })

  it.each([
    ['    "npm test": true\n  }', '    "npm test": true,\n    "rm": true\n  }'],
    ['  "editor.tabSize": 2,\n  "chat.tools.terminal.autoApprove": { "rm": false }', '  "editor.tabSize": 2'],
    ['false,\n  "editor.tabSize": 2', 'true,\n  "editor.tabSize": 4'],
    ['    "-l"', '    "-lc /tmp/a.sh"'],
    ['  "editor.tabSize": 2,\n  "chat', '  "editor.tabSize": 4,\n  "chat.tools'],
  ])('are asked about where an edit changes what may run: %j becomes %j', async (before, after) => {
    expect(await edited(before, after)).toContain('agent-configuration')
  })

  it('are asked about in the home folder, where they hold for every project', async () => {
    const content = '{ "editor.tabSize": 2 }'
    const stops = await gate.judgeTool('Write', { file_path: '/home/u/.config/Code/User/settings.json', content }, cwd)
    expect(stops.asked).toContain('agent-configuration')
  })

  it('are asked about where they are copied from a file that is not seen', async () => {
    expect((await gate.judge('cp /tmp/a.json .vscode/settings.json', cwd)).asked).toContain('agent-configuration')
    const command = `echo '{ "editor.tabSize": 2 }' > .vscode/settings.json`
    expect((await gate.judge(command, cwd)).asked).toEqual([])
  })
})
