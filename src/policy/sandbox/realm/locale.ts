/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
/**
 * Fixes the locale to `en-US`, ignoring the process's and the policy's choice. The results of other locales depend on
 * the data that the engine was built with.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function pinLocale(): void {
  const { apply, defineProperty } = Reflect
  const define = (whole: object, key: PropertyKey, value: unknown) =>
    defineProperty(whole, key, { value, writable: true, enumerable: false, configurable: true })

  const { localeCompare, toLowerCase, toUpperCase } = String.prototype
  const ofNumber = Number.prototype.toLocaleString
  const ofBigInt = BigInt.prototype.toLocaleString
  const texts = {
    localeCompare(this: string, that: string, _locales: unknown, options: Intl.CollatorOptions | undefined): number {
      return apply(localeCompare, this, [that, 'en-US', options])
    },
    toLocaleLowerCase(this: string): string {
      return apply(toLowerCase, this, [])
    },
    toLocaleUpperCase(this: string): string {
      return apply(toUpperCase, this, [])
    },
  }
  const numbers = {
    toLocaleString(this: number, _locales: unknown, options: Intl.NumberFormatOptions | undefined): string {
      return apply(ofNumber, this, ['en-US', options])
    },
  }
  const bigInts = {
    toLocaleString(this: bigint, _locales: unknown, options: Intl.NumberFormatOptions | undefined): string {
      return String(apply(ofBigInt, this, ['en-US', options]))
    },
  }
  for (const key of ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase'] as const)
    define(String.prototype, key, texts[key])
  define(Number.prototype, 'toLocaleString', numbers.toLocaleString)
  define(BigInt.prototype, 'toLocaleString', bigInts.toLocaleString)
}
