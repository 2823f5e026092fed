import { printable } from '../../model/text.ts'

/** One test of a JUnit report. */
export interface JunitCase {
  readonly suite: string
  readonly name: string
  /** The reason of its failure; absent if it passes. */
  readonly failure?: { readonly kind: 'failure' | 'error'; readonly message: string; readonly text: string }
}

/** Formats a JUnit report, as CI servers read it. */
export function junitText(cases: readonly JunitCase[], seconds: number): string {
  const count = (kind: string) => cases.filter(({ failure }) => failure?.kind === kind).length
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hookgate replay" ${totals} time="${seconds.toFixed(3)}">`,
    `  <testsuite name="hookgate replay" ${totals} time="${seconds.toFixed(3)}">`,
    ...cases.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseText({ suite, name, failure }: JunitCase): string {
  const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}"`
  if (failure === undefined) return `${head}/>`
  const { kind, message, text } = failure
  return `${head}><${kind} message="${attribute(message)}">${escaped(text)}</${kind}></testcase>`
}

/** Escapes text from outside. A `>` as well: the text may hold `]]>`, which must not stand in XML. */
const escaped = (text: string) =>
  printable(text)
    .replace(notXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A parser would make spaces of the line breaks and tabs of an attribute. */
const attribute = (text: string) => escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

/** Characters that XML 1.0 cannot hold, and that are left after `printable`. */
const notXml = /[\ufffe\uffff]/g
