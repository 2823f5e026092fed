/** Says in words, with a way out, what an error of the client of TUF or of a connection says of what a server has. */
export function inWords(error: string): string {
  const [words] = clientErrors.flatMap(([pattern, text]) => (pattern.test(error) ? error.replace(pattern, text) : []))
  return words ?? error
}

/** Errors, which may quote one another. */
const clientErrors: readonly (readonly [RegExp, string])[] = [
  [
    /^.*?(timestamp|snapshot)\.json is expired.*$/s,
    '$1.json has expired; sign it anew with `hookgate bundle refresh`, and serve that',
  ],
  [
    /^.*?(?<![\w-])([\w-]+)\.json is expired.*$/s,
    '$1.json has expired; sign it anew with `hookgate bundle keys --renew $1`, and serve that',
  ],
  [
    /^.*?New (\w+) version (\d+) is less than current version (\d+).*$/s,
    '$1.json is older than what was seen before (version $2, and $3 was seen); serve the newest folder again',
  ],
  [
    /^.*?(?<![\w-])([\w-]+) was signed by (\d+)\/(\d+) keys.*$/s,
    '$1.json has $2 of the $3 signatures that it needs from keys that this machine trusts; serve the folder as it was signed',
  ],
  [
    /^.*?Expected (?:length|hash) .*$/s,
    'a file is not the one that was signed; serve the folder as it was signed, `metadata/timestamp.json` last',
  ],
  [/^.*?(it sends more than \d+ bytes).*$/s, '$1, the most that this file may have; serve the folder as it was signed'],
  [/^.*? is not valid JSON.*$/s, 'what it sends is no signed metadata; check `url` in `bundle`'],
  [/^it answered 404$/, 'it lacks a file that it must have (404); serve the whole folder, or check `url` in `bundle`'],
  [/^.*?operation was aborted.*$/s, 'it did not answer in time; check it, and the network'],
  [/^connect (E\w+) .*$/s, 'it cannot be reached ($1); check it, and the network'],
]
