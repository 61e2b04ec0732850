"""Pictures that teach: rendering, training, model cards."""
