import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Completes what the compiler wrote: the declarations that no entry of the package reaches are removed, since nobody
 * can import them, and those of bundled packages that are reached are copied, so that nobody has to install these
 * packages for their types alone.
 *
 * @param dist the folder that the compiler wrote to
 * @param entries paths in that folder
 * @param packages the bundled packages that may be copied from
 */
export function complete(dist: string, entries: readonly string[], packages: readonly string[]): void {
  const reached = new Set<string>()
  for (const entry of entries) reach(resolve(dist, entry), reached)
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    if (!reached.has(join(dist, name))) rmSync(join(dist, name))
  }
  removeEmpty(dist)
  const own = [...reached]
  for (const name of packages) {
    const copied = copyTypes(name, join(dist, 'types', name))
    for (const file of own) {
      const text = readFileSync(file, 'utf8')
      const to = relative(dirname(file), copied)
      const path = (to.startsWith('.') ? to : `./${to}`).replace(/\.d\.(m?)ts$/, '.$1js')
      const changed = text.replaceAll(new RegExp(`(?<=\\bfrom )['"]${name}['"]`, 'g'), `'${path}'`)
      if (changed !== text) writeFileSync(file, changed)
    }
  }
}

/** Copies the declarations of a package. @returns the copy of its main one */
function copyTypes(name: string, folder: string): string {
  const main = declarationOf(fileURLToPath(import.meta.resolve(name)))
  const files = new Set<string>()
  reach(main, files)
  for (const file of files) {
    const copy = join(folder, relative(dirname(main), file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
  return join(folder, relative(dirname(main), main))
}

/** Adds a declaration and all that it imports by relative paths, directly or not. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return
  reached.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)) {
    reach(declarationOf(resolve(dirname(file), path)), reached)
  }
}

/** Returns the declaration of a module, which has its extension. */
function declarationOf(module: string): string {
  const file = module.replace(/(?:\.d)?\.(m?)[jt]s$/, '.d.$1ts')
  if (!existsSync(file)) throw new Error(`${module} has no declaration ${file}`)
  return file
}

/** Removes the folders that hold nothing but empty folders. */
function removeEmpty(folder: string): void {
  for (const name of globSync('*', { cwd: folder })) {
    if (statSync(join(folder, name)).isDirectory()) removeEmpty(join(folder, name))
  }
  if (globSync('*', { cwd: folder }).length === 0) rmSync(folder, { recursive: true })
}
