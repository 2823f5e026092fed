import { describe, expect, it } from 'vitest'
import { runsStdin } from '../../../src/facts/flows/named.ts'
import { factsOf } from '../../support/shell-facts.ts'
import { described } from '../programs/described.ts'

describe('stdin is executed as code', () => {
  it.each(
    `bash|bash -s a|bash -|bash -o pipefail|bash +o posix|bash --rcfile f|bash /dev/stdin|zsh -f|fish|csh
    python3|python3 -|python3 -u|python3 -W ignore|perl|ruby|node|node -r x|bun|deno|php|lua|julia|rscript -|r|pwsh
    psql|psql db|mysql -u root db|sqlite3 db|ssh host|at now|batch
    tclsh|wish|osascript|osascript -l JavaScript|guile|racket`
      .split(/[|\n]/)
      .map((text) => text.trim()),
  )('by %s', (text) => {
    expect(runsStdin(described(text))).toBe(true)
  })
})

describe('stdin is data', () => {
  it.each(
    `bash -n|bash -c ls|bash x.sh|python3 -c x|python3 -m http.server|python3 x.py|perl -ne 1|perl -c|node -p 1|node --check
    php -r 1|ssh host sh|xargs|cat|tee|awk 1|sed s/a/b/|sudo bash|env bash|make|crontab -l|nothing-known
    tclsh x.tcl|osascript -e beep|osascript x.scpt|guile -c 1|racket x.rkt`
      .split(/[|\n]/)
      .map((text) => text.trim()),
  )('for %s', (text) => {
    expect(runsStdin(described(text))).toBe(false)
  })
})

describe('inline code', () => {
  const received = (code: string) => factsOf(`curl a.example | ${code}`).flows.map(({ as }) => as)

  it.each([
    `python3 -c 'exec(input())'`,
    `ruby -e 'eval($stdin.read)'`,
    `perl -e 'eval(<>)'`,
    `awk '{system($0)}'`,
    `php -r 'eval(file_get_contents("php://stdin"));'`,
    `node -e 'eval(require("fs").readFileSync(0, "utf8"))'`,
  ])('runs what it reads: %s', (code) => {
    expect(received(code)).toContain('code')
  })

  it.each([
    `python3 -c 'print(input())'`,
    `ruby -e 'puts $stdin.read'`,
    `awk '{system("ls")}'`,
    `node -e 'eval("1")'`,
    `jq .a`,
  ])('only reads: %s', (code) => {
    expect(received(code)).not.toContain('code')
  })
})
