import { readFileSync } from 'node:fs'

// Runs the command in its arguments in the network made by own-network.ts, next to a name server that knows
// no names. Exits with 1 if a name or an address of another machine was requested. IPv6 is not counted, as
// Chromium probes an address to find out whether there is IPv6.

const names = new Set<string>()

/** Answers every question with "no such name" (RFC 1035 §4). */
const server = await Bun.udpSocket({
  hostname: '127.0.0.1',
  port: 53,
  socket: {
    data(socket, question, port, address) {
      names.add(nameIn(question))
      const answer = Buffer.from(question)
      answer.writeUInt16BE(0x8183, 2)
      socket.send(answer, port, address)
    },
  },
})
const code = await Bun.spawn(process.argv.slice(2), { stdio: ['inherit', 'inherit', 'inherit'] }).exited
server.close()
const addresses = packetsElsewhere()
if (names.size > 0) console.error(`names of other machines were looked up: ${[...names].join(', ')}`)
if (addresses > 0) console.error(`addresses of other machines were tried ${addresses} times`)
process.exit(code === 0 && names.size + addresses > 0 ? 1 : code)

/** IPv4 packets that had no route. */
function packetsElsewhere(): number {
  const [heads = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '))
  return Number(values[heads.indexOf('OutNoRoutes')])
}

/** The name in the first question of a message. */
function nameIn(message: Buffer): string {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join('.')
}
