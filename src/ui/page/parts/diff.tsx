import type { JSX } from 'preact'
import { Text } from './text.tsx'

/** Shows the change of a file as `diff -u` does. */
export function Diff({ file, diff }: { readonly file: string; readonly diff: string }): JSX.Element {
  // The first two lines name the file, which stands above.
  const lines = diff.replace(/\n$/, '').split('\n')
  const body = lines.filter((line, index) => index > 1 || !/^(?:---|\+\+\+) /.test(line))
  return (
    <figure class="diff">
      <figcaption>
        <Text text={file} />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label="The change of the file">
        {body.map((line, index) => (
          <span key={index} class={`line ${kindOf(line)}`}>
            <Text text={line === '' ? ' ' : line} />
          </span>
        ))}
      </pre>
    </figure>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'place' : ''
}
