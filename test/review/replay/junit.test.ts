import { expect, it } from 'vitest'
import { junitText } from '../../../src/cli/commands/replay/report-text.ts'

const hostile = 'a ]]> <b attr="1\'"> & \u0000\u0007\u001b[31m \ufffe\uffff \ud800 \u202e\t\n</testcase>'

/** Returns the texts and attributes of a document, after checking that it is well-formed in the subset that is written. */
function checkedXml(xml: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- those that XML 1.0 forbids
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  expect(xml.isWellFormed()).toBe(true)
  const open: string[] = []
  const texts: string[] = []
  const token = /<\?xml [^?]*\?>|<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(\/?)>|([^<>]+)/gy
  let end = 0
  for (const [whole, closes, name = '', attributes = '', isEmpty, text = ''] of xml.matchAll(token)) {
    end += whole.length
    if (closes === '/') expect(open.pop()).toBe(name)
    else if (name !== '' && isEmpty === '') open.push(name)
    texts.push(...[...attributes.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value), text)
  }
  expect(end).toBe(xml.length)
  expect(open).toEqual([])
  for (const text of texts) expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#10|#9);)|\]\]>/)
  return texts
}

it('a JUnit report is well-formed, whatever the commands and reasons hold', () => {
  const xml = junitText(
    [
      { suite: hostile, name: hostile },
      { suite: 's', name: 'n', failure: { kind: 'failure', message: hostile, text: hostile } },
      { suite: 's', name: 'n', failure: { kind: 'error', message: 'm', text: '' } },
    ],
    1.5,
  )
  const texts = checkedXml(xml)
  expect(
    texts.filter((text) => text.includes(String.raw`a ]]&gt; &lt;b attr=&quot;1'&quot;&gt; &amp; \x00\x07\x1b[31m`)),
  ).toHaveLength(4)
  expect(xml).toContain('tests="3" failures="1" errors="1"')
})
