// How much does an installation take?
//
// The package as it is published, installed with its dependencies, in a folder that is removed afterwards. Reported:
// the size of each package's files, and which goal is missed. It asks the npm registry.
//
//   node bench/installed-size.ts
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { built } from './support/built.ts'
import { goal, significant, table } from './support/markdown.ts'

const goalMb = 45
/** The unit of `blocks`. */
const bytesOfBlock = 512
built('cli/bin.js')
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
try {
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--silent'], { cwd, encoding: 'utf8' })
  const root = fileURLToPath(new URL('..', import.meta.url))
  const packed = npm(['pack', '--pack-destination', folder], root).trim()
  writeFileSync(join(folder, 'package.json'), '{}')
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', join(folder, packed)], folder)
  const rows = globSync(['node_modules/[!@.]*', 'node_modules/@*/*'], { cwd: folder })
    .map((name) => [name.slice('node_modules/'.length), megabytes(join(folder, name))] as const)
    .toSorted(([, a], [, b]) => b - a)
  const all = rows.reduce((sum, [, size]) => sum + size, 0)
  console.log(table(['package', 'MB'], [...rows, [`all ${rows.length}`, all]]))
  console.log(`\n${goal(`an installation takes at most ${goalMb} MB`, all <= goalMb, `${significant(all)} MB`)}`)
} finally {
  rmSync(folder, { recursive: true })
}

/** Returns what the files below a folder take on the disk, in MB: most are far smaller than one of its blocks. */
function megabytes(path: string): number {
  const files = globSync('**/*', { cwd: path }).map((name) => statSync(join(path, name)))
  return files.reduce((sum, { blocks }) => sum + blocks * bytesOfBlock, 0) / 2 ** 20
}
