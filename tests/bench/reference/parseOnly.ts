/** The baseline: Express 5 parses the body and returns it. */
import express from 'express';

const app = express();
app.post('/api/v1/notifications', express.json(), (req, res) => {
  res.status(201).json(req.body);
});
app.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
