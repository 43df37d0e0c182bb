/** Why files cannot be exchanged with Debian's `age`; undefined if they can. */
export const ageReason: string | undefined =
  Bun.which('age') === null ? 'they need the Debian package age' : undefined
if (ageReason !== undefined) console.warn(`tests with the age command are skipped: ${ageReason}`)

/** Runs `age` on its own terminal, where it asks for the passphrase; returns its exit code. */
export async function runAge(args: readonly string[], passphrase: string): Promise<number> {
  let heard = ''
  const child = Bun.spawn(['age', ...args], {
    terminal: {
      data: (terminal, bytes) => {
        heard += new TextDecoder().decode(bytes)
        if (!/passphrase[^\n]*: $/i.test(heard)) return
        heard = ''
        terminal.write(`${passphrase}\n`)
      },
    },
  })
  return await child.exited
}
