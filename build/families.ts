import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { namedFamilies } from '../src/facts/programs/family-names.ts'
import { root } from './sources.ts'

const folder = join(root, 'src', 'facts', 'programs')

/** Puts the names of all programs in place of what is said of them, which is loaded when one of them is called. */
export const familiesByName: Plugin = {
  name: 'families-by-name',
  transform: {
    filter: { id: /[\\/]facts[\\/]programs[\\/]family-names\.ts$/ },
    handler: async () => ({ code: await namesModule(), map: null }),
  },
}

/** Returns the text of a module like `family-names.ts`, in the same folder, which loads no family until it is asked for. */
export async function namesModule(): Promise<string> {
  const places = new Map<unknown, string>()
  for (const file of globSync('families/**/*.ts', { cwd: folder })) {
    // oxlint-disable-next-line no-await-in-loop -- they are loaded already
    const exported: unknown = await import(pathToFileURL(join(folder, file)).href)
    if (typeof exported !== 'object' || exported === null) continue
    const from = JSON.stringify(`./${file.replaceAll('\\', '/')}`)
    for (const [name, value] of Object.entries(exported)) places.set(value, `require(${from}).${name}`)
  }
  const rows = namedFamilies.map(({ names, load }) => {
    const place = places.get(load())
    if (place === undefined) throw new Error(`no file of families/ exports the family of ${names.join(' ')}`)
    return `{ names: ${JSON.stringify(names.join(' '))}.split(' '), load: () => ${place} }`
  })
  return `export const namedFamilies = [\n${rows.join(',\n')}\n]\n`
}
