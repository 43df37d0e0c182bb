/** A mail server (RFC 5321) that keeps what it receives. */
export interface SmtpServer extends Disposable {
  readonly url: string
  readonly letters: Received[]
  /** Resolves when the first recipient is refused. */
  readonly refused: Promise<void>
}

export interface Received {
  readonly to: string
  /** The decoded header lines and the decoded text. */
  readonly head: string
  readonly text: string
}

/** Starts one that refuses the first recipients with these codes, one each. */
export function startSmtp({ refuse = [] as readonly number[] } = {}): SmtpServer {
  const letters: Received[] = []
  const codes = [...refuse]
  const refused = Promise.withResolvers<void>()
  const refusal = () => {
    const code = codes.shift()
    if (code !== undefined) refused.resolve()
    return code
  }
  const server = Bun.listen<Session>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = { pending: '', to: '', body: undefined }
        socket.write('220 test\r\n')
      },
      data: (socket, bytes) => {
        const session = socket.data
        session.pending += bytes.toString()
        for (;;) {
          const end = session.pending.indexOf('\r\n')
          if (end < 0) return
          const line = session.pending.slice(0, end)
          session.pending = session.pending.slice(end + 2)
          const reply = answer(session, line, letters, refusal)
          if (reply !== '') socket.write(`${reply}\r\n`)
        }
      },
    },
  })
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    letters,
    refused: refused.promise,
    [Symbol.dispose]: () => server.stop(true),
  }
}

interface Session {
  pending: string
  to: string
  body: string[] | undefined
}

function answer(
  session: Session,
  line: string,
  letters: Received[],
  refusal: () => number | undefined,
): string {
  if (session.body !== undefined) {
    if (line !== '.') {
      session.body.push(line.replace(/^\./, ''))
      return ''
    }
    letters.push(received(session.to, session.body.join('\r\n')))
    session.body = undefined
    return '250 kept'
  }
  const recipient = /^RCPT TO:<(.*)>/i.exec(line)?.[1]
  if (recipient !== undefined) {
    session.to = recipient
    const code = refusal()
    return code === undefined ? '250 ok' : `${code} not <${recipient}>`
  }
  if (/^DATA$/i.test(line)) {
    session.body = []
    return '354 go on'
  }
  return /^QUIT/i.test(line) ? '221 bye' : '250 ok'
}

function received(to: string, message: string): Received {
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const encoding = /^content-transfer-encoding: (.*)$/im.exec(head)?.[1]?.trim()
  return { to, head: head.replaceAll(/\r\n[ \t]+/g, ' '), text: decoded(body, encoding) }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
