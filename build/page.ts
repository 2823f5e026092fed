import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
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

/** Returns the styles of the charts, then the page's own and those of its parts, then those of each view for it alone. */
function styles(): string {
  const charts = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const own = globSync('*.css', { cwd: from })
  const parts = globSync('parts/*.css', { cwd: from }).toSorted()
  const views = globSync('views/*.css', { cwd: from }).toSorted()
  return [
    ...[charts, ...[...own, ...parts].map((name) => join(from, name))].map((file) => readFileSync(file, 'utf8')),
    // Nested, so that a class of one view means nothing in another.
    ...views.map((name) => `.view-${basename(name, '.css')} {\n${readFileSync(join(from, name), 'utf8')}}\n`),
  ].join('\n')
}
