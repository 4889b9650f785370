/** An application of Discord, which signs its requests. */
import { generateKeyPairSync, sign } from 'node:crypto';

export function discordApp() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    /** As Discord shows it. */
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    /** @param url of the bridge */
    async post(url: string, interaction: object, { signed = interaction } = {}) {
      const timestamp = '1767225600';
      const text = Buffer.from(timestamp + JSON.stringify(signed));
      const response = await fetch(`${url}/api/v1/actions/discord`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Signature-Ed25519': sign(null, text, privateKey).toString('hex'),
          'X-Signature-Timestamp': timestamp,
        },
        body: JSON.stringify(interaction),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
}

/** The interaction of Discord's documentation, "Message Components": a press of a button. @param hook id of the webhook */
export const pressOf = (token: string, hook: string, user: object = { username: 'ada', global_name: 'Ada' }) => ({
  version: 1,
  type: 3,
  token: 'unique_interaction_token',
  message: { id: '1', type: 0, webhook_id: hook, application_id: '2', content: '', embeds: [], components: [] },
  member: { user: { id: '53908232506183680', discriminator: '0', ...user }, roles: [], permissions: '0' },
  id: '846462639134605312',
  guild_id: '290926798626357999',
  data: { custom_id: token, component_type: 2 },
  channel_id: '345626669114982999',
  application_id: '2',
});
