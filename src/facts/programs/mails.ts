const encoded = (encoding: string) =>
  new RegExp(String.raw`^content-transfer-encoding:[ \t]*(?:\r?\n[ \t]+)?${encoding}\b`, 'im')
const asBase64 = encoded('base64')
const asQuoted = encoded('quoted-printable')

/**
 * Returns the texts that programs find in mails with patches: each mail as it is written, and as it is decoded behind the
 * first header that says so. What is no such text in it, other parts and headers, is decoded to signs without a meaning.
 */
export const mailTexts = (text: string): readonly string[] =>
  text.split(/^(?=From )/m).flatMap((mail) => {
    const base64 = bodyBehind(mail, asBase64)?.split('\n').map(fromBase64).join('')
    const quoted = bodyBehind(mail, asQuoted)
    return [mail, base64 ?? '', quoted === undefined ? '' : fromQuoted(quoted)].filter((one) => one !== '')
  })

/** Returns what stands behind the empty line after a header. */
function bodyBehind(mail: string, header: RegExp): string | undefined {
  const at = header.exec(mail)?.index
  const end = at === undefined ? null : /\r?\n\r?\n/.exec(mail.slice(at))
  return at === undefined || end === null ? undefined : mail.slice(at + end.index + end[0].length)
}

const fromBase64 = (line: string): string => Buffer.from(line, 'base64').toString('utf8')

const fromQuoted = (text: string): string =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/=[ \t]{0,80}\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')
