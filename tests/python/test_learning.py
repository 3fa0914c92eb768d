"""Tensors, the adapters to other interfaces, and the examples of src/python/README.md."""

import copy
import doctest
import pathlib
import pickle
import random
import unittest

import numpy as np
import q_learning

import zug
from zug import openspiel
from zug.gym import ZugEnv
from zug.pettingzoo import ZugAEC

page = pathlib.Path(__file__).resolve().parents[2] / "src" / "python" / "README.md"


class Tensors(unittest.TestCase):
    def test_every_game(self):
        for name in zug.games():
            with self.subTest(name):
                game = zug.load(name, executor="interpreter")
                state = game.initial()
                blocks = game.tensor_blocks
                self.assertEqual(sum(block.size for block in blocks), game.tensor_size)
                for _ in range(3):
                    tensor = state.tensor()
                    self.assertTrue(((tensor >= 0) & (tensor <= 1)).all())
                    for block in blocks:
                        planes = zug.split(game, tensor)[block.name]
                        self.assertEqual(planes.shape, block.shape)
                        if len(block.values) > 1:
                            self.assertTrue((planes.sum(axis=0) == 1).all())
                    if state.is_terminal:
                        break
                    state.apply(random.choice(state.legal_moves))

    def test_rows_and_columns(self):
        game = zug.load("tic-tac-toe")
        planes = zug.split(game, game.initial().after("a3 c1").tensor())["at"]
        self.assertEqual(planes[1].tolist(), [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
        self.assertEqual(planes[2].tolist(), [[0, 0, 0], [0, 0, 0], [0, 0, 1]])

    def test_arrays_of_the_caller(self):
        game = zug.load("othello")
        states = [game.initial(), game.initial().after("d3")]
        out = np.empty((2, game.tensor_size), np.float32)
        self.assertIs(game.tensors(states, out), out)
        self.assertTrue(np.array_equal(out[1], states[1].tensor()))
        view = out[0]
        states[1].tensor(view)
        self.assertTrue(np.array_equal(out[0], out[1]))
        for wrong in (np.empty((2, 3), np.float32), np.empty((2, game.tensor_size)), out[:, ::2], [0.0]):
            with self.assertRaisesRegex(zug.Error, "float32"):
                game.tensors(states, wrong)
        out.flags.writeable = False
        with self.assertRaisesRegex(zug.Error, "writable"):
            game.tensors(states, out)
        with self.assertRaisesRegex(zug.Error, "another Game"):
            game.tensors([zug.load("othello").initial()])


class Adapters(unittest.TestCase):
    games = ("tic-tac-toe", "pig", "english-draughts", "backgammon")

    def test_gymnasium(self):
        for name in self.games:
            for opponent in ("random", "auto:nodes=50,calibration=off", lambda state: state.legal_moves[0]):
                env = ZugEnv(zug.load(name), player=None, opponent=opponent, max_steps=20)
                observation, info = env.reset(seed=4)
                self.assertIn(observation, env.observation_space)
                over = cut = info["state"].is_terminal
                while not over and not cut:
                    self.assertEqual(np.flatnonzero(info["action_mask"]).tolist(), info["legal_actions"])
                    action = random.choice(info["legal_actions"])
                    self.assertIn(action, env.action_space)
                    observation, reward, over, cut, info = env.step(action)
                    self.assertEqual(reward, info["state"].utilities[info["player"]])
                if over:
                    with self.assertRaises(RuntimeError):
                        env.step(0)

    # As Gymnasium's check_env asks of its environments.
    def test_the_seed_is_that_of_the_generator_that_environments_have(self):
        environments = [ZugEnv(zug.load("tic-tac-toe")) for _ in range(2)]
        for env in environments:
            env.reset(seed=123)
        one, other = (env.np_random for env in environments)
        self.assertIsInstance(one, np.random.Generator)
        self.assertEqual(one.bit_generator.state, other.bit_generator.state)
        steps = [env.step(0) for env in environments]
        self.assertEqual(steps[0][4]["state"], steps[1][4]["state"])

    def test_equal_seeds_give_equal_episodes(self):
        def episode():
            env = ZugEnv(zug.load("backgammon"))
            env.reset(seed=9)
            texts = [env.state.text]
            for _ in range(20):
                env.step(env.state.legal_actions()[0])
                texts.append(env.state.text)
            return texts

        self.assertEqual(episode(), episode())

    def test_pettingzoo(self):
        for name in self.games:
            env = ZugAEC(zug.load(name), max_steps=30)
            env.reset(seed=2)
            totals = dict.fromkeys(env.possible_agents, 0.0)
            for agent in env.agent_iter():
                observation, reward, over, cut, _ = env.last()
                totals[agent] += reward
                self.assertIn(observation, env.observation_space(agent))
                mask = observation["action_mask"]
                env.step(None if over or cut else env.action_space(agent).sample(mask))
            self.assertEqual(env.agents, [])
            self.assertEqual(list(totals.values()), env.game_state.utilities.tolist())

    def test_openspiel(self):
        for name in self.games:
            game = openspiel.load_game(name)
            state = game.new_initial_state()
            self.assertTrue(str(game))
            for _ in range(200):
                if state.is_terminal():
                    break
                legal = state.legal_actions()
                self.assertEqual(np.flatnonzero(state.legal_actions_mask()).tolist(), legal)
                if state.is_chance_node():
                    self.assertEqual(state.current_player(), -1)
                    self.assertEqual([action for action, _ in state.chance_outcomes()], legal)
                else:
                    action = random.choice(legal)
                    text = state.action_to_string(state.current_player(), action)
                    self.assertIn(state.string_to_action(text), legal)
                action = random.choice(legal)
                child = state.child(action)
                state.apply_action(action)
                self.assertEqual(str(child), str(state))
                self.assertEqual(child.history(), state.history())
            if state.is_terminal():
                self.assertEqual(state.current_player(), -4)
                self.assertEqual(state.legal_actions(), [])

    def test_openspiel_takes_actions_back(self):
        for name in self.games:
            state = openspiel.load_game(name).new_initial_state()
            for _ in range(30):
                if state.is_terminal():
                    break
                player, action, before = state.current_player(), random.choice(state.legal_actions()), state.clone()
                state.apply_action(action)
                with self.assertRaises(zug.Error):
                    state.undo_action(player, action + 1)
                state.undo_action(player, action)
                self.assertEqual(str(state), str(before))
                self.assertEqual(state.legal_actions(), before.legal_actions())
                self.assertEqual(state.history(), before.history())
                state.apply_action(action)

    def test_openspiel_writes_games_and_states(self):
        for name in [*self.games, "hexapawn(width=4,height=5)"]:
            game = openspiel.load_game(name)
            state = game.new_initial_state()
            for _ in range(12):
                if not state.is_terminal():
                    state.apply_action(random.choice(state.legal_actions()))
            other_game, other = openspiel.deserialize_game_and_state(openspiel.serialize_game_and_state(game, state))
            self.assertEqual(str(other_game), str(game))
            for read in (other, game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state)),
                         copy.deepcopy(state)):
                self.assertEqual(str(read), str(state))
                self.assertEqual(read.history(), state.history())
        game = openspiel.load_game("tic-tac-toe")
        state = game.new_initial_state("at=3/1X1/O2")
        state.apply_action(state.legal_actions()[0])
        self.assertEqual(str(game.deserialize_state(state.serialize())), str(state))

    def test_openspiel_bounds_games_where_asked_to(self):
        with self.assertRaisesRegex(zug.Error, "max_game_length"):
            openspiel.load_game("chess").max_game_length()
        game = openspiel.load_game("chess", {"max_game_length": 5})
        self.assertEqual(game.max_game_length(), 5)
        self.assertEqual(openspiel.load_game(str(game)).max_game_length(), 5)
        state = game.new_initial_state()
        for _ in range(5):
            self.assertFalse(state.is_terminal())
            state.apply_action(state.legal_actions()[0])
        self.assertTrue(state.is_terminal())
        self.assertEqual(state.returns(), [0.0, 0.0])
        with self.assertRaises(zug.Error):
            state.apply_action(0)


class Documentation(unittest.TestCase):
    def test_the_examples(self):
        failed, attempted = doctest.testfile(str(page), module_relative=False)
        self.assertEqual(failed, 0)
        self.assertGreater(attempted, 30)

    def test_q_learning(self):
        self.assertIn(pathlib.Path(q_learning.__file__).read_text(), page.read_text())
        random.seed(1)
        for _ in range(3000):
            q_learning.episode(explore=0.2)
        after = sum(q_learning.episode(explore=0) for _ in range(200)) / 200
        self.assertGreater(after, 0.8)  # who moves at random gets 0.3


if __name__ == "__main__":
    unittest.main()
