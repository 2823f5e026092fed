/**
 * Ends a whole process group, its leader or not alive: SIGKILL, which no process can refuse.
 *
 * INVARIANT: `pid` is that of a hook that has not settled. The number stays taken as long as anybody in its group is
 * alive, and a hook that settles has had its group killed; later the system may give the number to somebody else.
 */
export function killGroup(pid: number): void {
  try {
    // Windows has no groups: what the hook itself has started is out of reach of a synchronous call there.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
}
