import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Files of a temporary folder: text, text with the execute bit set (`script`), or a JSON value. */
type Files = Readonly<Record<string, string | { readonly script: string } | { readonly json: unknown }>>

/** Creates a folder that is removed when the test ends. Symbolic links in its path are resolved. */
export function folderWith(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-test-')))
  onTestFinished(() => removeFolder(folder))
  writeFiles(folder, files)
  return folder
}

/** Creates a folder for all tests of a file, which is removed after the last one. */
export function folderForAll(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-test-')))
  afterAll(() => removeFolder(folder))
  return folder
}

/** Removes a folder, also one in which a test has taken its own permission away, which stops all users but root. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    openFolders(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

function openFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) openFolders(join(folder, name))
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof content === 'string') writeFileSync(file, content)
    else if ('json' in content) writeFileSync(file, JSON.stringify(content.json, undefined, 2))
    else {
      writeFileSync(file, content.script)
      chmodSync(file, 0o755)
    }
  }
}

/** Writes a script of `sh` that prints one JSON object. */
export function answers(answer: object): { readonly script: string } {
  return { script: `#!/bin/sh\ncat >/dev/null\ncat <<'EOF'\n${JSON.stringify(answer)}\nEOF\n` }
}

/** Builds a rules file with one command hook at one event. */
export function rulesWith(event: string, command: string, more: { matcher?: string; [key: string]: unknown } = {}) {
  const { matcher, ...handler } = more
  return {
    json: {
      hooks: {
        [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command, ...handler }] }],
      },
    },
  }
}
