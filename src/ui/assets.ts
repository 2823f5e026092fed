import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../files/program-files.ts'
import { errorText, HookgateError } from '../model/errors.ts'

/** A file of the page. */
interface PageAsset {
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
}

/** The page's files, as `npm run build` makes them. There are no others. */
const assetFiles = [
  { path: '/', name: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.js', name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/page.css', name: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', name: 'icon.svg', type: 'image/svg+xml' },
] as const

/** The folder with the page's files. */
export const assetFolder = join(packageFolder, 'dist', 'ui', 'page')

/** Reads the page's files. @throws HookgateError `unavailable` if they were not built */
export function readAssets(): readonly PageAsset[] {
  return assetFiles.map(({ path, name, type }) => {
    const file = join(assetFolder, name)
    try {
      return { path, type, bytes: readFileSync(file) }
    } catch (cause) {
      throw new HookgateError('unavailable', `a file of the page cannot be read: ${errorText(cause)}`, {
        place: { file },
        remedy: 'install hookgate again, or run `npm run build` in a checkout',
        cause,
      })
    }
  })
}
