import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../support/shell-facts.ts'

/** Formats the last command of a text, with `…` for unknown parts. */
const last = (text: string) => linesOf(text).at(-1)

describe('the path that mktemp prints', () => {
  it.each([
    ['is in the temporary folder', 'rm -rf "$(mktemp -d)"', 'rm -rf /tmp/tmp.…'],
    ['is kept in a variable', 'T=$(mktemp -d) && rm -rf "$T/a"', 'rm -rf /tmp/tmp.…/a'],
    ['begins as the template does', 'rm "$(mktemp -d /tmp/foo.XXXX)"', 'rm /tmp/foo.…'],
    ['ends as the template does', 'rm "$(mktemp a.XXXXXX.json)"', 'rm a.….json'],
    ['is in the folder that is named', 'rm "$(mktemp -p /var/tmp x.XXXXXX)"', 'rm /var/tmp/x.…'],
    ['is in the folder that is named at length', 'rm "$(mktemp --tmpdir=/srv x.XXX)"', 'rm /srv/x.…'],
    ['has the prefix of macOS', 'rm "$(mktemp -d -t build)"', 'rm /tmp/build.…'],
    ['is not known without a template', 'rm -rf "$(mktemp -d /)"', 'rm -rf …'],
    ['is not known where its folder is not', 'rm -rf "$(mktemp -d -p "$X")"', 'rm -rf …'],
    ['is what a function of that name prints', 'mktemp() { echo /; }; rm -rf "$(mktemp -d)"', 'rm -rf /'],
  ])('%s: %s', (_, text, line) => expect(last(text)).toBe(line))

  it('is partly unknown, so that no comparison with it decides what runs', () => {
    expect(linesOf('[ "$(mktemp -u)" = /tmp/tmp.XXXXXXXXXX ] || rm -rf /')).toContain('rm -rf /')
  })
})
