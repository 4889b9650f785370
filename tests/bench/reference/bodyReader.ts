/** An Express 5 route that returns the request body, with one of two body readers. */
import express from 'express';
import { jsonBody } from '../../../backend-bridge/src/platform/http/body.ts';

const [reader, port] = process.argv.slice(2);
const app = express();
app.post('/', ...(reader === 'jsonBody()' ? jsonBody() : [express.json()]), (req, res) => {
  res.status(201).json(req.body);
});
app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
