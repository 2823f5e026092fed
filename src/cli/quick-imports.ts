import module from 'node:module'

const own = new URL('..', import.meta.url).href
const zod = '/node_modules/zod/'
const locales = '/locales/index.js'

/**
 * Speeds up module resolution, the largest part of a start after Node itself. Relative imports between hookgate's own
 * compiled files, or between zod's, are resolved directly and with a known format; Node would check for symbolic links
 * and the package's manifest each time. It also skips zod's messages in fifty languages, a file each, which hookgate
 * does not use. Measured: saves 0.06 s of 0.17 s of CPU time.
 *
 * INVARIANT: every module resolves as Node would resolve it, except for that list of languages.
 */
export function quickImports(): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL, conditions } = context
      const isKnown =
        parentURL !== undefined &&
        specifier.startsWith('.') &&
        specifier.endsWith('.js') &&
        conditions.includes('import') &&
        (parentURL.startsWith(own) || parentURL.includes(zod))
      if (!isKnown) return next(specifier, context)
      const file =
        parentURL.includes(zod) && specifier.endsWith(locales)
          ? specifier.replace(locales, '/locales/en.js')
          : specifier
      return { url: new URL(file, parentURL).href, format: 'module', shortCircuit: true }
    },
  })
}
