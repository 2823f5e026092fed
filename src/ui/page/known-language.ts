// If the system's language is POSIX, Chromium reports one that it does not know itself (`en-US@posix`). The library of
// the charts formats a number in it while it is loaded, so without this there would be no page.
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}
