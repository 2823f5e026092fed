import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placesOf } from '../../../src/files/state/places.ts'

const linux = { platform: 'linux', uid: 1000, home: '/home/someone', env: {} } as const

describe('the places of a gate', () => {
  it('are in the XDG state folder, or in HOOKGATE_HOME', () => {
    expect(placesOf(linux)).toMatchObject({
      folder: '/home/someone/.local/state/hookgate',
      socket: '/home/someone/.local/state/hookgate/gate.sock',
      socketFolder: '/home/someone/.local/state/hookgate',
      token: '/home/someone/.local/state/hookgate/token',
    })
    expect(placesOf({ ...linux, env: { XDG_STATE_HOME: '/s' } }).folder).toBe('/s/hookgate')
    expect(placesOf({ ...linux, env: { XDG_STATE_HOME: 'relative' } }).folder).toBe(
      '/home/someone/.local/state/hookgate',
    )
    expect(placesOf({ ...linux, env: { XDG_STATE_HOME: '/s', HOOKGATE_HOME: '/own' } }).folder).toBe('/own')
    expect(placesOf({ ...linux, env: { HOOKGATE_HOME: '' } }).folder).toBe('/home/someone/.local/state/hookgate')
  })

  it('on Windows are in the local application data, with a named pipe as socket', () => {
    const windows = { platform: 'win32', uid: undefined, home: 'C:\\Users\\someone', env: {} } as const
    const places = placesOf(windows)
    expect(places.folder).toBe('C:\\Users\\someone\\AppData\\Local\\hookgate')
    expect(places.state).toBe('C:\\Users\\someone\\AppData\\Local\\hookgate\\gate.json')
    expect(places.socket).toMatch(/^\\\\\.\\pipe\\hookgate-[0-9a-f]{16}$/)
    expect(places.socketFolder).toBeUndefined()
    const other = placesOf({ ...windows, env: { LOCALAPPDATA: 'D:\\Local' } })
    expect(other.folder).toBe('D:\\Local\\hookgate')
    expect(other.socket).not.toBe(places.socket)
  })

  it('have the socket elsewhere where its path would exceed the system limit', () => {
    // `/` and `/gate.sock` are eleven bytes; one is for the NUL.
    const folderOf = (bytes: number) => `/${'x'.repeat(bytes - 11)}`
    const at = (bytes: number, platform: 'linux' | 'darwin') =>
      placesOf({ ...linux, platform, env: { HOOKGATE_HOME: folderOf(bytes) } }).socket
    expect(at(107, 'linux')).toBe(`${folderOf(107)}/gate.sock`)
    expect(at(108, 'linux')).toMatch(/^\/tmp\/hookgate-1000\/[0-9a-f]{16}\.sock$/)
    expect(at(103, 'darwin')).toBe(`${folderOf(103)}/gate.sock`)
    expect(at(104, 'darwin')).toMatch(/^\/tmp\/hookgate-1000\/[0-9a-f]{16}\.sock$/)
  })

  it('prefer the session’s runtime folder for that, where it is short enough', () => {
    const long = { HOOKGATE_HOME: `/${'x'.repeat(200)}` }
    const inRuntime = placesOf({ ...linux, env: { ...long, XDG_RUNTIME_DIR: '/run/user/1000' } })
    expect(inRuntime.socket).toMatch(/^\/run\/user\/1000\/hookgate\/[0-9a-f]{16}\.sock$/)
    expect(inRuntime.socketFolder).toBe('/run/user/1000/hookgate')
    const tooLong = placesOf({ ...linux, env: { ...long, XDG_RUNTIME_DIR: `/${'r'.repeat(100)}` } })
    expect(tooLong.socketFolder).toBe('/tmp/hookgate-1000')
  })

  it('always have a socket path within the limit, and a different one for each folder', () => {
    const names = fc.stringMatching(/^[a-zäß漢]{1,150}$/)
    fc.assert(
      fc.property(names, names, fc.constantFrom('linux' as const, 'darwin' as const), (one, two, platform) => {
        const [first, second] = [one, two].map((name) =>
          placesOf({ ...linux, platform, env: { HOOKGATE_HOME: `/${name}` } }),
        )
        expect(Buffer.byteLength(first?.socket ?? '')).toBeLessThan(platform === 'darwin' ? 104 : 108)
        expect(first?.socket === second?.socket).toBe(one === two)
      }),
    )
  })
})
