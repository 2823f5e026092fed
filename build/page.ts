import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './sources.ts'

const from = join(root, 'src', 'ui', 'page')

/**
 * Writes the page that `hookgate ui` serves into `dist/ui/page`: one script, one style sheet, and what needs no building.
 *
 * @returns the modules that are in the script
 */
export async function bundlePage(dist: string): Promise<readonly string[]> {
  const to = join(dist, 'ui', 'page')
  mkdirSync(to, { recursive: true })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(from, name), join(to, name))
  writeFileSync(join(to, 'page.css'), styles())
  const { output } = await build({
    cwd: root,
    input: { page: join(from, 'main.tsx') },
    platform: 'browser',
    output: { dir: to, format: 'esm', entryFileNames: '[name].js', minify: true, codeSplitting: false },
  })
  return output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
}

/** Returns the styles of the charts, then the page's own, then those of its views and parts. */
function styles(): string {
  const charts = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const own = globSync('**/*.css', { cwd: from }).toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
  return [charts, ...own.map((name) => join(from, name))].map((file) => readFileSync(file, 'utf8')).join('\n')
}

const depth = (name: string) => name.split(/[\\/]/).length
