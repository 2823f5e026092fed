import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Instruction {
  readonly name: string
  readonly text: string
}

/** Reads a Dockerfile: an instruction a line, unless the line ends with a backslash. */
const instructions: readonly Instruction[] = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }))
const all = (name: string) => instructions.filter((one) => one.name === name).map(({ text }) => text)
/** The instructions of the stage that becomes the image. */
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
const inImage = (name: string) => last.filter((one) => one.name === name).map(({ text }) => text)
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')

describe('the Dockerfile', () => {
  it('has no instruction that this test does not know', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK']
    expect(
      instructions.map(({ name }) => name).filter((name) => ![...known, 'ENTRYPOINT', 'CMD'].includes(name)),
    ).toEqual([])
  })

  it('copies only what is there, and what .dockerignore lets through', () => {
    const sources = all('COPY')
      .filter((text) => !text.startsWith('--from='))
      .flatMap((text) => text.split(' ').slice(0, -1))
    expect(sources).not.toEqual([])
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
    expect(ignored).toContain('*')
    expect(sources.filter((source) => !ignored.includes(`!${source}`))).toEqual([])
  })

  it('adds nothing from a URL, and runs nothing that was fetched by hand', () => {
    expect(all('ADD')).toEqual([])
    expect(all('RUN').filter((text) => /curl|wget|https?:/.test(text))).toEqual([])
  })

  it('runs on Node 24, and not as root', () => {
    expect(all('FROM').map((text) => text.split(' ')[0])).toEqual(['node:24-slim', 'node:24-slim'])
    const [user, ...more] = inImage('USER')
    expect(more).toEqual([])
    expect(Number(user?.split(':')[0])).toBeGreaterThan(0)
    // What follows it is run by that user.
    const after = last.slice(last.findIndex(({ name }) => name === 'USER'))
    expect(after.map(({ name }) => name)).toEqual(expect.arrayContaining(['ENTRYPOINT', 'CMD', 'HEALTHCHECK']))
  })

  it('writes to two volumes only, both in the state folder', () => {
    const [volumes = '[]'] = inImage('VOLUME')
    const folders = JSON.parse(volumes) as readonly string[]
    expect(folders).toHaveLength(2)
    expect(inImage('ENV').join(' ')).toContain(`HOOKGATE_HOME=${folders[0] ?? ''}`)
    expect(folders[1]).toBe(`${folders[0] ?? ''}/bundles`)
  })

  it('asks /healthz whether it is healthy', () => {
    const [check = ''] = inImage('HEALTHCHECK')
    expect(check).toContain("path: '/healthz'")
    const words: unknown = JSON.parse(check.slice(check.indexOf('CMD ') + 4))
    expect(words).toEqual(['node', '-e', expect.any(String)])
  })

  it('listens for other machines only with TLS and a proof of who asks', () => {
    expect(JSON.parse(inImage('ENTRYPOINT')[0] ?? '')).toEqual(['hookgate', 'serve'])
    const words = JSON.parse(inImage('CMD')[0] ?? '') as readonly string[]
    expect(words).toEqual(expect.arrayContaining(['--listen', '--tls-cert', '--tls-key', '--client-ca']))
  })
})
