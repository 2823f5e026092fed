import module from 'node:module'

const own = new URL('..', import.meta.url).href
const zod = '/node_modules/zod/'
const locales = '/locales/index.js'

/**
 * Spares what a start spends most on after Node itself: finding modules. Of a relative import between two of our own
 * compiled files, or two of zod's, the address is the address, and its format is known; Node would look for links and
 * for the package's manifest each time. And zod's index names its messages in fifty languages, a file each, of which we
 * say none. Measured: 0.06 s of CPU of 0.17 s.
 *
 * INVARIANT: nothing is found here that Node would not have found, save that list of languages.
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
