/** Waits for what another process, a timer or a disk does. The test runner's time limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>, pauseMs = 10): Promise<void> {
  while (!(await isSo())) await Bun.sleep(pauseMs)
}
