import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type BundleDocument, readBundle, rulesText } from '../../../bundle/document.ts'
import { bundleError } from '../../../bundle/names.ts'
import { makeFolders } from '../../../files/entries.ts'
import { replaceFile } from '../../../files/replace-file.ts'
import { whyFailed } from '../../../files/disk.ts'

/** The rules of a bundle in a private folder, for what takes rules by their path. */
export interface BundleFolder {
  readonly folder: string
  /** Names the bundle in place of the folder. */
  readonly named: (text: string) => string
  readonly remove: () => void
}

/** Reads the file that `hookgate bundle make` wrote. @throws HookgateError `bundleMalformed` */
export function bundleBytes(file: string, cwd: string): Uint8Array {
  const path = resolve(cwd, file)
  try {
    return readFileSync(path)
  } catch (error) {
    const remedy = 'make it with `hookgate bundle make`'
    throw bundleError('bundleMalformed', `the bundle cannot be read: ${whyFailed(error)}`, remedy, path)
  }
}

/** Writes the rules of a bundle. The caller removes them. @throws HookgateError `bundleMalformed` */
export function bundleFolder(bundle: BundleDocument): BundleFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-bundle-')))
  const texts = { ...bundle.files, 'hooks.json': rulesText(bundle) }
  for (const [path, text] of Object.entries(texts)) {
    makeFolders(dirname(join(folder, path)))
    replaceFile(join(folder, path), Buffer.from(text))
  }
  return {
    folder,
    named: (text) => text.replaceAll(folder, `${bundle.name} ${bundle.revision}`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Writes the rules of the bundle in a file. @throws HookgateError `bundleMalformed` */
export const folderOfBundle = (file: string, cwd: string): BundleFolder =>
  bundleFolder(readBundle(bundleBytes(file, cwd), resolve(cwd, file)))
